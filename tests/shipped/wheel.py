"""Unpacks a wheel without pip, checks what an installer checks, and evaluates expressions with its module; see wheel.test.ts.

stdin: JSON {wheel, folder, calls}. anywidget and PyTorch are stand-ins: a widget keeps its traits, and a tensor that
requires a gradient, as PyTorch's, is no array for NumPy.
"""

import base64
import hashlib
import json
import py_compile
import sys
import types
import warnings
import zipfile

import numpy as np


class AnyWidget:
    def __init__(self, **traits):
        self.__dict__.update(traits)


class Trait:
    def tag(self, **_):
        return self


class Tensor:
    layout = 'strided'

    def __init__(self, array, detached=False):
        self.array, self.detached = array, detached
        self.shape = array.shape

    def __getitem__(self, index):
        return Tensor(self.array[index], self.detached)

    def __array__(self, *_, **__):
        raise RuntimeError("Can't call numpy() on Tensor that requires grad")

    def is_complex(self):
        return self.array.dtype.kind == 'c'

    def detach(self):
        return Tensor(self.array, True)

    def to(self, device, dtype):
        assert (device, dtype) == ('cpu', np.float32)
        return Tensor(self.array.astype(dtype), self.detached)

    def numpy(self):
        assert self.detached
        return self.array


def stand_in(name, **content):
    module = types.ModuleType(name)
    module.__dict__.update(content)
    sys.modules[name] = module


def records(wheel):
    """The lines of RECORD, and the same made from the files."""
    names = wheel.namelist()
    assert len(set(names)) == len(names)
    [record] = [name for name in names if name.endswith('.dist-info/RECORD')]
    found = []
    for name in names:
        content = wheel.read(name)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b'=').decode()
        found.append(f'{record},,' if name == record else f'{name},sha256={digest},{len(content)}')
    return wheel.read(record).decode().splitlines(), found


def result(call, scope):
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter('always')
            figure = eval(call, scope)
    except ValueError as error:
        return {'error': str(error)}
    if not isinstance(figure, AnyWidget):
        return {'value': figure}
    arrays = {
        name: {'shape': one['shape'], 'data': np.frombuffer(one['data'], '<f4').tolist()}
        for name, one in vars(figure).get('arrays', {}).items()
    }
    return {'spec': figure.spec, 'arrays': arrays, 'warnings': [str(one.message) for one in caught]}


job = json.load(sys.stdin)
with zipfile.ZipFile(job['wheel']) as wheel:
    assert wheel.testzip() is None
    written, found = records(wheel)
    wheel.extractall(job['folder'])
    sources = [name for name in wheel.namelist() if name.endswith('.py')]
for name in sources:
    py_compile.compile(f'{job["folder"]}/{name}', doraise=True)
sys.path.insert(0, job['folder'])
stand_in('anywidget', AnyWidget=AnyWidget)
stand_in('traitlets', Dict=Trait)
import phasor  # noqa: E402

imports_torch = 'torch' in sys.modules
stand_in('torch', Tensor=Tensor, float32=np.float32, strided='strided')
scope = {'phasor': phasor, 'np': np, 'Tensor': Tensor, 'w': np.arange(12, dtype=np.float64).reshape(2, 2, 3) / 16}
answers = [result(call, scope) for call in job['calls']]
print(json.dumps({'written': written, 'found': found, 'sources': sources, 'importsTorch': imports_torch, 'answers': answers}))
