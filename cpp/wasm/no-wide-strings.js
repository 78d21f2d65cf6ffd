// Embind registers wide strings and views of memory in every program; no function here has one, and their conversions would be a tenth of the glue.
// biome-ignore-all lint/complexity/useArrowFunction: emcc 3.1.6 writes functions only.
mergeInto(LibraryManager.library, {
  _embind_register_std_wstring__deps: [],
  _embind_register_std_wstring: function () {},
  _embind_register_memory_view__deps: [],
  _embind_register_memory_view: function () {},
});
