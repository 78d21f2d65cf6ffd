"""llama.cpp on one thread: for each input line {"text", "ids", "count"}, model_peer.py PATH prints the generated text and the processor time in ms."""

import importlib.metadata
import json
import sys
import time

import xllamacpp

params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.n_ctx = 1024
params.n_batch = params.n_ubatch = 512
params.n_parallel = 1
params.n_gpu_layers = 0
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
params.warmup = False
server = xllamacpp.Server(params)
print(json.dumps({"what": f"xllamacpp {importlib.metadata.version('xllamacpp')}"}), flush=True)

for line in sys.stdin:
    request = json.loads(line)
    options = {"prompt": request["text"], "n_predict": request["count"], "temperature": 0, "cache_prompt": False, "ignore_eos": True}
    begin = time.process_time()
    response = server.handle_completions(options)
    spent = 1000 * (time.process_time() - begin)
    try:
        evaluated = response.get("tokens_evaluated") or response["usage"]["prompt_tokens"]
        assert evaluated == len(request["ids"]), f"{evaluated} tokens instead of {len(request['ids'])}"
        text = response["content"] if "content" in response else response["choices"][0]["text"]
        print(json.dumps({"processor": spent, "tokens": text}), flush=True)
    except (AssertionError, KeyError) as error:
        print(json.dumps({"fails": f"{error} {json.dumps(response)[:200]}"}), flush=True)
