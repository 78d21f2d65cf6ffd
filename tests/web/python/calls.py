"""Checks calls in programs of the page of all models against public/reference/model_positions.py, which is parsed only: it needs PyTorch."""

import ast
import sys
from importlib import import_module

import numpy as np

# Reference classes of functions whose parameters are those of an encoding.
CLASSES = {
    'rope': 'Rope', 'mrope': 'Mrope', 'rope_2d': 'Rope2d', 'alibi': 'Alibi', 't5': 'T5', 'transformer_xl': 'TransformerXl',
    'learned': 'Learned', 'sinusoidal': 'Sinusoidal',
}  # fmt: skip


def functions():
    """Maps the name of a function to the number of positional parameters (None: any) and the keyword parameters with their defaults."""
    with open(f'{sys.path[1]}/model_positions.py') as file:
        found = [node for node in ast.parse(file.read()).body if isinstance(node, ast.FunctionDef)]
    own = {}
    for node in found:
        defaults = [default and ast.literal_eval(default) for default in node.args.kw_defaults]
        keywords = dict(zip([arg.arg for arg in node.args.kwonlyargs], defaults))
        own[node.name] = (None if node.args.vararg else len(node.args.args), keywords, node.args.kwarg is not None)
    return {
        name: (count, {**own['extended'][1], **keywords} if extends else keywords) for name, (count, keywords, extends) in own.items()
    }


def check_defaults(known):
    for name, class_name in CLASSES.items():
        reference = getattr(import_module(name), class_name)
        for parameter, default in known[name][1].items():
            if default is not None and getattr(reference, parameter) != default:
                raise ValueError(f'{name}: {parameter} is {default}, not {getattr(reference, parameter)}')


def check_programs(programs):
    known = functions()
    check_defaults(known)
    for program in programs:
        nodes = list(ast.walk(ast.parse(program)))
        imported = sorted(alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names)
        calls = [node for node in nodes if isinstance(node, ast.Call)]
        for call in calls:
            name = call.func.id
            if name not in known:
                raise ValueError(f'{name} is not a function of model_positions.py')
            count, parameters = known[name]
            if count is not None and len(call.args) != count:
                raise ValueError(f'{name} takes {count} positional arguments')
            for keyword in call.keywords:
                if keyword.arg not in parameters:
                    raise ValueError(f'{name} has no parameter {keyword.arg}')
        called = sorted({call.func.id for call in calls})
        if imported != called:
            raise ValueError(f'the program imports {", ".join(imported)}, but calls {", ".join(called)}')
    return np.array([float(len(programs))])
