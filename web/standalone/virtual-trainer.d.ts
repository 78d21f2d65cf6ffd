declare module 'virtual:trainer' {
  /** Starts a trainer; undefined if no figure of the page trains (scripts/standalone/program.mjs). */
  const createTrainer:
    | ((spec: import('../engine/types/train-config.ts').TrainConfig) => Promise<import('../engine/types/trainer.ts').Trainer>)
    | undefined;
  export default createTrainer;
}
