// Embind registers wide strings and views of memory in every program; no function here has one, and their conversions would be a tenth of the glue.
mergeInto(LibraryManager.library, {
  _embind_register_std_wstring__deps: [],
  _embind_register_std_wstring: () => {},
  _embind_register_memory_view__deps: [],
  _embind_register_memory_view: () => {},
});
