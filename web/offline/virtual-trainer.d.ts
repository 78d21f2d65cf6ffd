declare module 'virtual:trainer' {
  /** Starts a trainer; undefined where no figure of the page trains (scripts/offline/program.mjs). */
  const createTrainer:
    | ((spec: import('../engine/types/training.ts').TrainSpec) => Promise<import('../engine/types/training.ts').Trainer>)
    | undefined;
  export default createTrainer;
}
