import type { Tensor } from '../../engine/index.ts';
import { npyOf } from './npy.ts';

/** An array as a .npy file. Asynchronous, so that what writes it may come after the first picture. */
export const npyFile = async (tensor: Tensor): Promise<Blob> => new Blob([npyOf(tensor)]);
