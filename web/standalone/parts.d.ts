declare module 'virtual:photographs' {
  /** The URL of the embedded file of photographs: empty if no figure of the page shows one. */
  const address: string;
  export default address;
}
