// Engines that run a model in a page. `generate({ ids, text }, count)` returns the most probable tokens after a prompt, as ids or as text.

/** @param {string} url */
const fileOf = async (url) => new File([await (await fetch(url)).blob()], url.replace(/.*\//, ''));

export async function phasor(urls) {
  const { openModelWorker } = await import('/npm/model.js');
  const model = await openModelWorker(await Promise.all(urls.map(fileOf)));
  return {
    what: model.variant,
    async generate({ ids }, count) {
      const all = [];
      for await (const { id } of model.generate(ids, { maxNewTokens: count })) all.push(id);
      return all;
    },
  };
}

/** llama.cpp compiled to WebAssembly, with 8-bit activations. */
export async function wllama([url]) {
  const { Wllama } = await import('/wllama/index.js');
  const engine = new Wllama({ default: '/wllama/wasm/wllama.wasm' }, { suppressNativeLog: true });
  await engine.loadModel([await fileOf(url)], { n_threads: 1, n_ctx: 1024, n_batch: 512, n_gpu_layers: 0, n_parallel: 1, warmup: false });
  return {
    what: `llama.cpp ${Wllama.getLibllamaVersion()}`,
    // The prompt is text; the engine prepends <bos>.
    async generate({ ids, text }, count) {
      const options = { prompt: text, max_tokens: count, temperature: 0, cache_prompt: false, ignore_eos: true };
      const { choices, usage } = await engine.createCompletion(options);
      if (usage.prompt_tokens !== ids.length || usage.completion_tokens !== count)
        throw new Error(`wllama: ${usage.prompt_tokens} and ${usage.completion_tokens} tokens instead of ${ids.length} and ${count}`);
      return choices[0].text;
    },
  };
}

export async function onnx([url]) {
  const ort = await import('/ort/ort.wasm.min.mjs');
  ort.env.wasm.wasmPaths = `${location.origin}/ort/`;
  ort.env.wasm.numThreads = 1;
  const externalData = [{ path: 'model.onnx.data', data: new Uint8Array(await (await fetch(`${url}.data`)).arrayBuffer()) }];
  const session = await ort.InferenceSession.create(url, { executionProviders: ['wasm'], externalData });
  const caches = session.inputNames.filter((name) => name.startsWith('past'));
  return {
    what: 'wasm',
    async generate({ ids }, count) {
      const all = [];
      const past = Object.fromEntries(caches.map((name) => [name, new ort.Tensor('float32', new Float32Array(0), [1, 3, 0, 64])]));
      for (let next = ids, total = ids.length; all.length < count; total += 1) {
        const feeds = {
          ids: new ort.Tensor('int64', BigInt64Array.from(next, BigInt), [1, next.length]),
          last: new ort.Tensor('int32', Int32Array.of(total - 1), [1]),
          total: new ort.Tensor('int32', Int32Array.of(total), []),
          ...past,
        };
        const outputs = await session.run(feeds);
        const { data } = outputs.logits;
        next = [data.indexOf(data.reduce((largest, logit) => Math.max(largest, logit), Number.NEGATIVE_INFINITY))];
        all.push(next[0]);
        for (const name of caches) past[name] = outputs[name.slice('past '.length)];
      }
      return all;
    },
  };
}
