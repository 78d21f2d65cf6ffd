"""Runs the programs of a JSON list on stdin, see run.ts. Arguments: a folder to work in, and 'torch' for the stand-in of PyTorch."""

import ast
import base64
import json
import os
import sys
import traceback

import numpy as np

if 'torch' in sys.argv[2:]:
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'stand_in'))
    import torch

    given = torch.tensor
else:
    given = np.asarray

REFERENCE = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../../public/reference'))
sys.path[1:1] = [REFERENCE]


def read(array):
    numbers = np.frombuffer(base64.b64decode(array['data']), dtype=np.float64)
    return given(numbers.reshape(array['shape']).copy())


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
        with open(name + '.npy', 'wb') as file:
            file.write(base64.b64decode(content))
    try:
        tree = ast.parse(job['program'])
        if job.get('parseOnly'):
            return {'arrays': {}}
        variables = {name: read(array) for name, array in job['given'].items()}
        exec(compile(tree, 'program', 'exec'), variables)
        return {'arrays': {name: written(variables[name]) for name in job['want'] if name in variables and not callable(variables[name])}}
    except Exception:
        lines = traceback.format_exc().strip().splitlines()
        where = [line.strip() for line in lines if 'File "program"' in line]
        return {'arrays': {}, 'error': ' '.join([lines[-1], *where[-1:]])}


np.seterr(all='ignore')
print(json.dumps([run(number, job) for number, job in enumerate(json.load(sys.stdin))]))
