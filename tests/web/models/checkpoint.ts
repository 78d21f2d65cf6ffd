// A model in the format of Hugging Face: config.json and model.safetensors. Reads are recorded, because an unused weight is an error.

import type { Tensor } from '../../../web/engine/types/api.ts';
import type { Norm } from './matrix.ts';
import type { SafeTensors } from './safetensors.ts';

export class Checkpoint {
  readonly config: Readonly<Record<string, unknown>>;
  private readonly file: SafeTensors;
  private readonly prefix: string;
  private readonly read = new Map<string, Tensor>();

  /** `prefix` precedes the names of a model saved with its head, not of one saved alone. */
  constructor(config: object, file: SafeTensors, prefix: string) {
    this.config = config as Readonly<Record<string, unknown>>;
    this.file = file;
    this.prefix = file.names.some((name) => name.startsWith(prefix)) ? prefix : '';
  }

  /** The first of these fields that is not null, or the default of the model's class. */
  private field<T extends number | string | boolean>(kind: string, names: string | readonly string[], fallback: T | undefined): T {
    const list = typeof names === 'string' ? [names] : names;
    const value = list.map((name) => this.config[name]).find((candidate) => candidate !== undefined && candidate !== null) ?? fallback;
    if (typeof value !== kind) throw new Error(`config.json: ${list.join(' or ')} is ${JSON.stringify(value)}, not a ${kind}`);
    return value as T;
  }
  number(names: string | readonly string[], fallback?: number): number {
    return this.field('number', names, fallback);
  }
  word(names: string | readonly string[], fallback?: string): string {
    return this.field('string', names, fallback);
  }
  flag(names: string | readonly string[], fallback: boolean): boolean {
    return this.field('boolean', names, fallback);
  }

  private nameOf(name: string): string | undefined {
    return [this.prefix + name, name].find((candidate) => this.file.has(candidate));
  }
  has(name: string): boolean {
    return this.nameOf(name) !== undefined;
  }
  weight(name: string): Tensor {
    const fullName = this.nameOf(name);
    if (!fullName) throw new Error(`model.safetensors lacks ${this.prefix}${name}`);
    const tensor = this.read.get(fullName) ?? this.file.tensor(fullName);
    this.read.set(fullName, tensor);
    return tensor;
  }
  pair(name: string): [weight: Tensor, bias: Tensor | undefined] {
    return [this.weight(`${name}.weight`), this.has(`${name}.bias`) ? this.weight(`${name}.bias`) : undefined];
  }
  /** Weight and bias of a layer norm, which old BERT files call gamma and beta. */
  norm(name: string): Norm {
    const [weight, bias] = this.has(`${name}.gamma`) ? ['gamma', 'beta'] : ['weight', 'bias'];
    return { weight: this.weight(`${name}.${weight}`), bias: this.weight(`${name}.${bias}`) };
  }
  /** The matrix from states to logits: the embedding itself if the two are tied. */
  head(name: string, embedding: string, tiedByDefault: boolean): [weight: Tensor, bias: Tensor | undefined] {
    return this.flag('tie_word_embeddings', tiedByDefault) ? [this.weight(embedding), undefined] : this.pair(name);
  }

  /** Names of unused weights, except those that a family ignores. */
  unread(aside: RegExp): string[] {
    return this.file.names.filter((name) => !this.read.has(name) && !aside.test(name));
  }
}
