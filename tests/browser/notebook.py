"""Runs the code cells of a notebook without Jupyter, using the given wheel, and prints the contents of their outputs as JSON."""

import ast
import base64
import json
import os
import sys
import tempfile
import types
import zipfile


class HTML:
    def __init__(self, data):
        self.data = data


class Trait:
    def tag(self, **_):
        return self


class AnyWidget:
    def __init__(self, **traits):
        self.__dict__.update(traits)


def stub(name, **content):
    module = types.ModuleType(name)
    module.__dict__.update(content)
    sys.modules[name] = module


stub("IPython")
stub("IPython.display", HTML=HTML)
stub("anywidget", AnyWidget=AnyWidget)
stub("traitlets", Dict=Trait)


def state(value):
    """Converts the state of a widget for JSON, with bytes as base64."""
    if isinstance(value, bytes):
        return {"base64": base64.b64encode(value).decode()}
    if isinstance(value, dict):
        return {key: state(one) for key, one in value.items()}
    return value


notebook = os.path.abspath(sys.argv[1])
unpacked = tempfile.TemporaryDirectory()
sys.path.insert(0, unpacked.name)
with zipfile.ZipFile(sys.argv[2]) as wheel:
    wheel.extractall(unpacked.name)
scope, outputs = {}, []
with open(notebook) as file:
    cells = json.load(file)["cells"]
for cell in cells:
    if cell["cell_type"] != "code":
        continue
    *body, last = ast.parse("".join(cell["source"])).body
    value = None
    if isinstance(last, ast.Expr):
        exec(compile(ast.Module(body, []), notebook, "exec"), scope)
        value = eval(compile(ast.Expression(last.value), notebook, "eval"), scope)
    else:
        exec(compile(ast.Module([*body, last], []), notebook, "exec"), scope)
    if isinstance(value, HTML):
        outputs.append({"html": value.data})
    elif isinstance(value, AnyWidget):
        outputs.append({"esm": str(value._esm), "spec": state(value.spec), "arrays": state(value.arrays)})
print(json.dumps(outputs))
