"""A stand-in for PyTorch on NumPy, for tests: the functions that the programs use, under PyTorch's rules. It is stricter than NumPy where PyTorch is:
`dim`, not `axis`; products of matrices need one dtype; whole numbers times a Python float are float32; NumPy arrays do not mix with tensors."""

import numpy as np

float64 = np.float64
float32 = np.float32
pi, inf = np.pi, np.inf


class Tensor:
    def __init__(self, array):
        self.array = np.asarray(array)
        self.dtype, self.shape, self.ndim = self.array.dtype, self.array.shape, self.array.ndim

    def __array__(self, dtype=None):
        return self.array.astype(dtype) if dtype else self.array

    def __len__(self):
        return len(self.array)

    def __iter__(self):
        return (Tensor(row) for row in self.array)

    def __bool__(self):
        return bool(self.array)

    def __int__(self):
        return int(self.array)

    def __getitem__(self, index):
        return Tensor(self.array[tuple(map(_plain, index)) if isinstance(index, tuple) else _plain(index)])

    T = property(lambda self: Tensor(self.array.T))

    def double(self):
        return Tensor(self.array.astype(np.float64))

    def float(self):
        return Tensor(self.array.astype(np.float32))

    def long(self):
        return Tensor(self.array.astype(np.int64))

    def to(self, dtype):
        return Tensor(self.array.astype(dtype))

    def reshape(self, *shape):
        return Tensor(self.array.reshape(*shape))

    def permute(self, *axes):
        return Tensor(self.array.transpose(axes))

    def transpose(self, one, other):
        return self.swapaxes(one, other)

    def swapaxes(self, one, other):
        return Tensor(self.array.swapaxes(one, other))

    def max(self):
        return Tensor(self.array.max())

    def sum(self, dim=None):
        return Tensor(self.array.sum(axis=dim))

    def __matmul__(self, other):
        return Tensor(np.matmul(*_one_dtype(self, other)))

    def __neg__(self):
        return Tensor(-self.array)


def _plain(value):
    return value.array if isinstance(value, Tensor) else value


def _one_dtype(*tensors):
    assert all(isinstance(tensor, Tensor) for tensor in tensors), 'a tensor is needed'
    assert len({tensor.dtype for tensor in tensors}) == 1, f'dtypes differ: {[str(tensor.dtype) for tensor in tensors]}'
    return [tensor.array for tensor in tensors]


def _operands(*values):
    assert not any(isinstance(value, np.ndarray) for value in values), 'a NumPy array meets a tensor'
    is_float = any(isinstance(value, float) for value in values)

    def plain(value):
        return value.array.astype(np.float32) if is_float and isinstance(value, Tensor) and value.dtype.kind in 'ib' else _plain(value)

    return [plain(value) for value in values]


def _operator(function, turned=False):
    def apply(self, other):
        return Tensor(function(*_operands(*((other, self) if turned else (self, other)))))

    return apply


for name, function in {
    'add': np.add,
    'sub': np.subtract,
    'mul': np.multiply,
    'truediv': np.true_divide,
    'mod': np.mod,
    'pow': np.power,
    'rshift': np.right_shift,
    'and': np.bitwise_and,
    'lt': np.less,
    'le': np.less_equal,
    'gt': np.greater,
    'ge': np.greater_equal,
    'ne': np.not_equal,
}.items():
    setattr(Tensor, f'__{name}__', _operator(function))
    setattr(Tensor, f'__r{name}__', _operator(function, True))


def _of_one(function):
    def apply(tensor):
        (array,) = _one_dtype(tensor)
        return Tensor(function(array.astype(np.float32) if array.dtype.kind in 'ib' and function is not np.abs else array))

    return apply


sin, cos, exp, log, log1p = map(_of_one, (np.sin, np.cos, np.exp, np.log, np.log1p))
floor, ceil, round, sign, abs = map(_of_one, (np.floor, np.ceil, np.round, np.sign, np.abs))


def tensor(values, dtype=np.float64):
    return Tensor(np.array(values, dtype=dtype))


def from_numpy(array):
    assert isinstance(array, np.ndarray)
    return Tensor(array)


def arange(*numbers, dtype=np.int64):
    return Tensor(np.arange(*numbers, dtype=dtype))


def eye(size, dtype=np.float32):
    return Tensor(np.eye(size, dtype=dtype))


def triu(tensor, diagonal=0):
    (array,) = _one_dtype(tensor)
    return Tensor(np.triu(array, diagonal))


def stack(tensors, dim=0):
    return Tensor(np.stack(_one_dtype(*tensors), axis=dim))


def cat(tensors, dim=0):
    return Tensor(np.concatenate(_one_dtype(*tensors), axis=dim))


def tile(tensor, dims):
    return Tensor(np.tile(tensor.array, dims))


def flip(tensor, dims):
    return Tensor(np.flip(tensor.array, dims))


def cumsum(tensor, dim):
    return Tensor(np.cumsum(tensor.array, axis=dim))


def take_along_dim(tensor, indices, dim):
    assert indices.dtype == np.int64
    return Tensor(np.take_along_axis(tensor.array, indices.array, axis=dim))


def moveaxis(tensor, source, destination):
    return Tensor(np.moveaxis(tensor.array, source, destination))


def clip(tensor, low, high):
    return Tensor(np.clip(_plain(tensor), low, high))


def maximum(one, other):
    return Tensor(np.maximum(*_one_dtype(one, other)))


def where(condition, one, other):
    assert condition.dtype == bool
    if not isinstance(one, Tensor) and not isinstance(other, Tensor):
        one = Tensor(np.float32(one))
    return Tensor(np.where(condition.array, _plain(one), _plain(other)))


def einsum(equation, *tensors):
    return Tensor(np.einsum(equation, *_one_dtype(*tensors)))


def softmax(tensor, dim):
    shifted = np.exp(tensor.array - tensor.array.max(axis=dim, keepdims=True))
    return Tensor(shifted / shifted.sum(axis=dim, keepdims=True))


class nn:
    class functional:
        @staticmethod
        def pad(tensor, sides):
            return Tensor(np.pad(tensor.array, ((0, 0), sides)))

        @staticmethod
        def normalize(tensor, dim):
            norms = np.sqrt((tensor.array**2).sum(axis=dim, keepdims=True))
            return Tensor(tensor.array / np.maximum(norms, 1e-12))
