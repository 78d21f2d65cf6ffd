// The safetensors reader of the product, for the models of these tests.
export { SafeTensors } from '../../../web/figure/files/safetensors.ts';
