"""A stand-in for PyTorch on NumPy, for the program of chapter 0. It is stricter than NumPy where PyTorch is: `dim`, not
`axis`; products of matrices need one dtype; integers times a Python float are float32; NumPy arrays do not mix with tensors."""

import numpy as np

float64 = np.float64
float32 = np.float32


class Tensor:
    def __init__(self, array):
        self.array = np.asarray(array)
        self.dtype, self.shape = self.array.dtype, self.array.shape

    def __array__(self, dtype=None):
        return self.array.astype(dtype) if dtype else self.array

    def __getitem__(self, index):
        return Tensor(self.array[index])

    def to(self, dtype):
        return Tensor(self.array.astype(dtype))

    def reshape(self, *shape):
        return Tensor(self.array.reshape(*shape))

    def swapaxes(self, one, other):
        return Tensor(self.array.swapaxes(one, other))

    def max(self):
        return Tensor(self.array.max())

    def __matmul__(self, other):
        return Tensor(np.matmul(*_one_dtype(self, other)))

    def __neg__(self):
        return Tensor(-self.array)


def _one_dtype(*tensors):
    assert all(isinstance(tensor, Tensor) for tensor in tensors), 'a tensor is needed'
    assert len({tensor.dtype for tensor in tensors}) == 1, f'dtypes differ: {[str(tensor.dtype) for tensor in tensors]}'
    return [tensor.array for tensor in tensors]


def _operands(*values):
    assert not any(isinstance(value, np.ndarray) for value in values), 'a NumPy array meets a tensor'
    is_float = any(isinstance(value, float) for value in values)

    def plain(value):
        if not isinstance(value, Tensor):
            return value
        return value.array.astype(np.float32) if is_float and value.dtype.kind in 'ib' else value.array

    return [plain(value) for value in values]


def _operator(function, turned=False):
    def apply(self, other):
        return Tensor(function(*_operands(*((other, self) if turned else (self, other)))))

    return apply


for name, function in {'add': np.add, 'sub': np.subtract, 'mul': np.multiply, 'truediv': np.true_divide, 'pow': np.power}.items():
    setattr(Tensor, f'__{name}__', _operator(function))
    setattr(Tensor, f'__r{name}__', _operator(function, True))


def _of_one(function):
    def apply(tensor):
        (array,) = _one_dtype(tensor)
        return Tensor(function(array.astype(np.float32) if array.dtype.kind in 'ib' and function is not np.abs else array))

    return apply


sin, cos, abs = map(_of_one, (np.sin, np.cos, np.abs))


def tensor(values, dtype=np.float32):
    return Tensor(np.array(values, dtype=dtype))


def arange(*numbers, dtype=np.int64):
    return Tensor(np.arange(*numbers, dtype=dtype))


def stack(tensors, dim=0):
    return Tensor(np.stack(_one_dtype(*tensors), axis=dim))


def softmax(tensor, dim):
    shifted = np.exp(tensor.array - tensor.array.max(axis=dim, keepdims=True))
    return Tensor(shifted / shifted.sum(axis=dim, keepdims=True))
