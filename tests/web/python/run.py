"""Runs the programs of a JSON list on stdin, see run.ts. Arguments: a working folder, and 'torch' for the stand-in of PyTorch."""

import base64
import json
import os
import sys
import traceback

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
REFERENCE = os.path.abspath(os.path.join(HERE, '../../../public/reference'))
sys.path[1:1] = [REFERENCE, *([os.path.join(HERE, 'stand_in')] if 'torch' in sys.argv[2:] else [])]


def read(array):
    numbers = np.frombuffer(base64.b64decode(array['data']), dtype=np.float64)
    return numbers.reshape(array['shape']).copy()


def written(value):
    numbers = np.ascontiguousarray(np.asarray(value), dtype=np.float64)
    return {'shape': list(np.shape(value)), 'data': base64.b64encode(numbers.tobytes()).decode()}


def forget_references():
    for name, module in list(sys.modules.items()):
        if os.path.dirname(getattr(module, '__file__', None) or '') in (REFERENCE, sys.path[0]):
            del sys.modules[name]


def run(number, job):
    folder = os.path.join(sys.argv[1], str(number))
    os.mkdir(folder)
    os.chdir(folder)
    sys.path[0] = folder
    if 'modules' in job:
        forget_references()
        for name, text in job['modules'].items():
            with open(name + '.py', 'w') as file:
                file.write(text)
    try:
        return run_here(job)
    finally:
        if 'modules' in job:
            forget_references()


def run_here(job):
    for name, content in job['files'].items():
        with open(name, 'wb') as file:
            file.write(base64.b64decode(content))
    try:
        variables = {name: read(array) for name, array in job['given'].items()}
        exec(compile(job['program'], 'program', 'exec'), variables)
        return {'arrays': {name: written(variables[name]) for name in job['want'] if name in variables and not callable(variables[name])}}
    except Exception:
        lines = traceback.format_exc().strip().splitlines()
        where = [line.strip() for line in lines if 'File "program"' in line]
        return {'arrays': {}, 'error': ' '.join([lines[-1], *where[-1:]])}


np.seterr(all='ignore')
print(json.dumps([run(number, job) for number, job in enumerate(json.load(sys.stdin))]))
