// The cells of the notebooks in run.mjs, and a text that each figure shows.

/** Cells that end with a figure: their Python code, and a part of the text of the figure. */
export const cells = [
  {
    code: `import numpy as np
import phasor

random = np.random.default_rng(0)
scores = random.normal(size=(3, 1, 2, 4, 6))
attentions = tuple(np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True))
words = dict(tokens="le chat noir dort", key_tokens="the black cat sleeps here now")
layers = phasor.attention(weights=attentions, layer=2, head=1, **words)
layers`,
    text: 'Layer 2 (0 to 2), head 1 (0 to 1): queries 0 to 3 and keys 0 to 5, one weight per cell',
  },
  {
    code: `q, k = random.normal(size=(2, 4, 5, 16))
phasor.attention(q, k, tokens="the river bank was steep", mask="causal", encoding={"id": "alibi", "slopes": [0.5, 0.25, 0.1, 0.05]})`,
    text: 'Head 0 (0 to 3): queries 0 to 4 and keys 0 to 4',
  },
  { code: `phasor.figure("rotation", encoding="rope base=500000")`, text: 'How does position rotate a query and a key?' },
  {
    code: `types = (["sliding_attention"] * 5 + ["full_attention"]) * 3
heads = dict(num_hidden_layers=18, num_attention_heads=4, num_key_value_heads=1, head_dim=256, hidden_size=640)
phasor.config({"model_type": "gemma3_text", "layer_types": types, "sliding_window": 512, "max_position_embeddings": 32768, **heads})`,
    text: 'How does each layer use position?',
  },
];

/** A program that prints the weights of the first figure. */
export const firstWeights = `${cells[0]?.code}\nprint(attentions[2][0, 1].tolist())`;

/** @returns the text of an .ipynb file */
export const jupyterNotebook = () =>
  JSON.stringify({
    cells: [...cells.map(({ code }) => code), 'layers.cursor'].map((source, index) => ({
      cell_type: 'code',
      execution_count: null,
      id: `cell-${index}`,
      metadata: {},
      outputs: [],
      source,
    })),
    metadata: { kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' } },
    nbformat: 4,
    nbformat_minor: 5,
  });

/** @param {string} code */
const indent = (code) => code.replaceAll(/^(?=.)/gm, '    ');

/** The cells as a marimo notebook, whose last cell runs again when the cursor moves. @returns the text of a Python file */
export function marimoNotebook() {
  const [first = '', ...others] = cells.map(({ code }) => code);
  const reactive = first.replace(/layers$/, 'import marimo\n\nshown = marimo.ui.anywidget(layers)\nshown');
  const bodies = [reactive, ...others, 'marimo.md(str(shown.value["cursor"]))'];
  const functions = bodies.map((code) => `@app.cell\ndef _():\n${indent(code)}\n`);
  return ['import marimo', 'app = marimo.App()', ...functions].join('\n\n');
}
