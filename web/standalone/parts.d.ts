declare module 'virtual:photographs' {
  /** The address of the file of photographs, which is inside: empty where no figure of the page shows one. */
  const address: string;
  export default address;
}
