// Embind registers wide strings and views of memory in every program; no function here has one, and their conversions would be a tenth of the glue.
// A program of more than 2 GB is linked by emcc 3.1.69 only if a function has all parameters of its signature.
// biome-ignore-all lint/complexity/useArrowFunction: emcc 3.1.6 writes functions only.
mergeInto(LibraryManager.library, {
  _embind_register_std_wstring__deps: [],
  _embind_register_std_wstring: function (_rawType, _charSize, _name) {},
  _embind_register_memory_view__deps: [],
  _embind_register_memory_view: function (_rawType, _dataTypeIndex, _name) {},
});
