// Generated from the registry by `npm run docs`: the parameters of each encoding, as declared in C++.
import type { TensorInput } from './tensors.ts';

/** A tensor of one axis may be an array of numbers. */
type Numbers = TensorInput | ArrayLike<number>;

/** Each encoding with its parameters, by its id; absent ones have their defaults. */
export interface EncodingTypes {
  /** Injection point: score. */
  readonly alibi: {
    /** This encoding. */
    readonly id: 'alibi';
    /** Which keys have a penalty: both sides (JinaBERT), left (paper), or one side per half of the heads; row_shifted (BLOOM, Falcon) and mpt depend on the key position only, but give the same causal attention as the paper. Default: symmetric. */
    readonly form?: 'symmetric' | 'causal' | 'row_shifted' | 'mpt' | 'half_heads' | undefined;
    /** The smallest slope is 2^-bias_max if the number of heads is a power of 2. Default: 8 (0.125 to 64). */
    readonly bias_max?: number | undefined;
    /** Slope to the right of the query, as a multiple of the slope to the left. Default: 1 (0 to 1000). */
    readonly right_factor?: number | undefined;
    /** Length of the longest text; its last key has no penalty. Default: 64 (1 to 1048576 tokens). */
    readonly max_seq_len?: number | undefined;
    /** Slope of each head; default: the paper's slopes. Shape: heads. */
    readonly slopes?: Numbers | undefined;
  };
  /** Injection point: input. */
  readonly binary: {
    /** This encoding. */
    readonly id: 'binary';
    /** Most significant bit first (as written), or least significant bit first (fast channels first, as in sinusoidal). Default: msb_first. */
    readonly order?: 'msb_first' | 'lsb_first' | undefined;
  };
  /** Injection point: score_content. */
  readonly cope: {
    /** This encoding. */
    readonly id: 'cope';
    /** Number of positions; larger positions are clamped to npos - 1. Default: 64 (1 to 65536 positions). */
    readonly npos?: number | undefined;
    /** Adds the positional term to the scaled scores (paper), or to q.k before scaling (the authors' code). Default: outside. */
    readonly placement?: 'outside' | 'inside' | undefined;
    /** Trained vector for each integer position. Shape: dim x npos. */
    readonly pos_emb?: Numbers | undefined;
    /** Separate keys for the gates; default: the keys of attention. Shape: heads x keys x dim. */
    readonly gate_key?: Numbers | undefined;
    /** Standard deviation of random initial values. Default: 1 (0 to 100). */
    readonly init_std?: number | undefined;
    /** Seed of random initial values. Default: 0 (at least 0). */
    readonly seed?: number | undefined;
  };
  /** Injection point: score_content. */
  readonly dape: {
    /** This encoding. */
    readonly id: 'dape';
    /** Encoding whose bias the network reads. Default: kerple. */
    readonly bias?: 'kerple' | 'alibi' | 'fire' | 't5' | undefined;
    /** Keys to the right of the query have the bias for their distance, or for distance 0 (the authors' code). Default: distance. */
    readonly right?: 'distance' | 'zero' | undefined;
    /** Hidden units of the network. Default: 32 (1 to 1024 units). */
    readonly mlp_width?: number | undefined;
    /** LeakyReLU's slope for negative inputs. Default: 0.01 (0 to 1). */
    readonly negative_slope?: number | undefined;
    /** Trained weights of the first layer: first for scores, then for biases. Shape: mlp_width x 2 heads. */
    readonly w1?: Numbers | undefined;
    /** Trained biases of the first layer. Shape: mlp_width. */
    readonly b1?: Numbers | undefined;
    /** Trained weights of the second layer. Shape: heads x mlp_width. */
    readonly w2?: Numbers | undefined;
    /** Trained biases of the second layer. Shape: heads. */
    readonly b2?: Numbers | undefined;
    /** Trained scale of KERPLE's penalty. Shape: heads. */
    readonly bias_r1?: Numbers | undefined;
    /** Trained scale of distances in KERPLE. Shape: heads. */
    readonly bias_r2?: Numbers | undefined;
    /** ALiBi's slopes; default: the paper's. Shape: heads. */
    readonly bias_slopes?: Numbers | undefined;
    /** Trained weights of FIRE's first layer. Shape: 32 x 1. */
    readonly bias_w1?: Numbers | undefined;
    /** Trained biases of FIRE's first layer. Shape: 32. */
    readonly bias_b1?: Numbers | undefined;
    /** Trained weights of FIRE's second layer. Shape: heads x 32. */
    readonly bias_w2?: Numbers | undefined;
    /** Trained biases of FIRE's second layer. Shape: heads. */
    readonly bias_b2?: Numbers | undefined;
    /** FIRE's trained c, which compresses distances. Shape: 1. */
    readonly bias_c?: Numbers | undefined;
    /** Trained multiplier of FIRE's threshold L. Shape: 1. */
    readonly bias_l_multiplier?: Numbers | undefined;
    /** Trained bias of each T5 bucket and head. Shape: 32 x heads. */
    readonly bias_table?: Numbers | undefined;
    /** Seed of random initial values. Default: 0 (at least 0). */
    readonly seed?: number | undefined;
  };
  /** Injection point: score_content. */
  readonly deberta: {
    /** This encoding. */
    readonly id: 'deberta';
    /** Position terms: content to position and position to content (all published models), or one of them. Default: c2p_p2c. */
    readonly terms?: 'c2p_p2c' | 'c2p' | 'p2c' | undefined;
    /** Number of logarithmic buckets, half of which hold one distance each; 0: one row per distance. Default: 256 (0 to 4096 buckets). */
    readonly position_buckets?: number | undefined;
    /** Larger distances share the last bucket, or the last row if there are no buckets. Default: 512 (1 to 1048576 tokens). */
    readonly max_relative_positions?: number | undefined;
    /** Trained relative embeddings, projected like keys; k is position_buckets or max_relative_positions. Shape: heads x 2k x dim. */
    readonly pos_key?: Numbers | undefined;
    /** Trained relative embeddings, projected like queries. Shape: heads x 2k x dim. */
    readonly pos_query?: Numbers | undefined;
    /** Standard deviation of random initial values. Default: 1 (0 to 100). */
    readonly init_std?: number | undefined;
    /** Seed of random initial values. Default: 0 (at least 0). */
    readonly seed?: number | undefined;
  };
  /** Injection point: score. */
  readonly fire: {
    /** This encoding. */
    readonly id: 'fire';
    /** Initial value of the trained c; a larger c compresses large distances more. Default: 0.1 (0.0001 to 1000 per token). */
    readonly init_c?: number | undefined;
    /** Initial value of the trained L; queries up to position L share one normaliser. Default: 512 (1 to 1000000 tokens). */
    readonly init_l?: number | undefined;
    /** Small constant added to the normaliser. Default: 0.000001 (1e-12 to 1). */
    readonly eps?: number | undefined;
    /** Hidden units of the network. Default: 32 (1 to 1024 units). */
    readonly mlp_width?: number | undefined;
    /** Trained weights of the first layer. Shape: mlp_width x 1. */
    readonly w1?: Numbers | undefined;
    /** Trained biases of the first layer. Shape: mlp_width. */
    readonly b1?: Numbers | undefined;
    /** Trained weights of the second layer. Shape: heads x mlp_width. */
    readonly w2?: Numbers | undefined;
    /** Trained biases of the second layer. Shape: heads. */
    readonly b2?: Numbers | undefined;
    /** Trained c of phi, which compresses distances. Shape: 1. */
    readonly c?: Numbers | undefined;
    /** Trained multiplier of init_l. Shape: 1. */
    readonly l_multiplier?: Numbers | undefined;
    /** Seed of random initial values. Default: 0 (at least 0). */
    readonly seed?: number | undefined;
  };
  /** Injection point: score. */
  readonly forgetting: {
    /** This encoding. */
    readonly id: 'forgetting';
    /** Queries and keys are unchanged (paper), or rotated. Default: none. */
    readonly rotation?: 'none' | 'rope' | undefined;
    /** rope: sets the lowest frequency. Default: 10000 (at least 1.001). */
    readonly base?: number | undefined;
    /** rope: pairs of channels, interleaved (2t and 2t + 1) or half-split (t and t + d/2). Default: interleaved. */
    readonly layout?: 'interleaved' | 'half_split' | undefined;
    /** Trained weights for computing gates from embeddings. Shape: heads x embed_dim. */
    readonly gate_weight?: Numbers | undefined;
    /** Trained biases for computing gates from embeddings. Shape: heads. */
    readonly gate_bias?: Numbers | undefined;
    /** Initial value of gate_bias (x-transformers: 5). Default: 0 (-20 to 20). */
    readonly init_bias?: number | undefined;
    /** Seed of random initial values. Default: 0 (at least 0). */
    readonly seed?: number | undefined;
  };
  /** Injection point: input. */
  readonly fourier: {
    /** This encoding. */
    readonly id: 'fourier';
    /** Scale of the matrix; the standard deviation of random frequencies. Default: 1 (0.0001 to 10000). */
    readonly sigma?: number | undefined;
    /** Number of frequencies, each with cosine and sine; 0: dim / 2. Default: 0 (0 to 65536). */
    readonly features?: number | undefined;
    /** All cosines come first (paper), or all sines (the authors' code). Default: cos_sin. */
    readonly order?: 'cos_sin' | 'sin_cos' | undefined;
    /** Random frequencies (paper), or one per coordinate (the paper's "basic" mapping). Default: gaussian. */
    readonly matrix?: 'gaussian' | 'identity' | undefined;
    /** Frequencies are in cycles (paper), not in radians. Default: true. */
    readonly two_pi?: boolean | undefined;
    /** Divisor of positions; 1 for coordinates in [0, 1]. Default: 64 (0.001 to 1000000000 tokens). */
    readonly extent?: number | undefined;
    /** Divides vectors by the norm of the amplitudes (the authors' code), or by sqrt(features) without amplitudes. Default: false. */
    readonly normalise?: boolean | undefined;
    /** Seed of the random matrix. Default: 0 (at least 0). */
    readonly seed?: number | undefined;
    /** The paper's matrix B, without the factor sigma. Shape: features x axes. */
    readonly frequency_matrix?: Numbers | undefined;
    /** Amplitude a of the cosine and sine of each feature; default: 1. Shape: features. */
    readonly amplitudes?: Numbers | undefined;
  };
  /** Injection point: score_content. */
  readonly grape_a: {
    /** This encoding. */
    readonly id: 'grape_a';
    /** Tokens that change the slope: keys, queries or both. Default: key. */
    readonly gate?: 'key' | 'query' | 'both' | undefined;
    /** Scale of the dot products in the gates; 0: 1 / sqrt(dim). Default: 0 (0 to 1000). */
    readonly gate_scale?: number | undefined;
    /** Trained slope of each head; default: the ALiBi slope. Shape: heads. */
    readonly omega?: Numbers | undefined;
    /** Trained vector of the key gate. Shape: heads x dim. */
    readonly u?: Numbers | undefined;
    /** Trained vector of the query gate. Shape: heads x dim. */
    readonly r?: Numbers | undefined;
    /** Seed of random initial values. Default: 0 (at least 0). */
    readonly seed?: number | undefined;
  };
  /** Injection point: input. */
  readonly index: {
    /** This encoding. */
    readonly id: 'index';
    /** Position of the first token. Default: 0 (0 to 1 tokens). */
    readonly start?: number | undefined;
  };
  /** Injection point: score. */
  readonly kerple: {
    /** This encoding. */
    readonly id: 'kerple';
    /** Penalty: the logarithm of the distance (best in the paper), a power of it, or a power together with weighted scores. Default: log. */
    readonly form?: 'log' | 'power' | 'weighted_power' | undefined;
    /** Keys to the right of the query are penalised by distance, or not at all (the authors' code). Default: distance. */
    readonly right?: 'distance' | 'zero' | undefined;
    /** Trained scale of the penalty. Shape: heads. */
    readonly r1?: Numbers | undefined;
    /** Trained scale of the distance (log) or exponent (power). Shape: heads. */
    readonly r2?: Numbers | undefined;
    /** Trained a in exp(-a D^p), the multiplier of scores at distance D. Shape: heads. */
    readonly wei_a?: Numbers | undefined;
    /** Trained p in exp(-a D^p), the multiplier of scores at distance D. Shape: heads. */
    readonly wei_p?: Numbers | undefined;
    /** Seed of random initial values. Default: 0 (at least 0). */
    readonly seed?: number | undefined;
  };
  /** Injection point: input. */
  readonly learned: {
    /** This encoding. */
    readonly id: 'learned';
    /** Number of rows, unless table is set. Default: 512 (1 to 65536 tokens). */
    readonly max_length?: number | undefined;
    /** Number of rows before position 0 (BART and OPT: 2). Default: 0 (0 to 65535 rows). */
    readonly row_offset?: number | undefined;
    /** Rows are multiplied by 1/sqrt(dim), as in x-transformers. Default: false. */
    readonly scaled?: boolean | undefined;
    /** Seed of a random table drawn from N(0, 0.02^2). Default: 0 (at least 0). */
    readonly seed?: number | undefined;
    /** The trained vectors, one row per position. Shape: max_length x dim. */
    readonly table?: Numbers | undefined;
  };
  /** Injection point: query_key. */
  readonly liere: {
    /** This encoding. */
    readonly id: 'liere';
    /** Channels per block. Default: 4 (2 to 256 channels). */
    readonly block?: number | undefined;
    /** Number of coordinates. Default: 2 (1 to 3). */
    readonly axes?: number | undefined;
    /** Learned generators; only upper triangles are used. Shape: axes x heads x blocks x block x block. */
    readonly generators?: Numbers | undefined;
    /** Initial generators are uniform between 0 and this value. Default: 0.75 (0 to 1000). */
    readonly spread?: number | undefined;
    /** Width of the image, if positions are row-major indices. Default: 8 (1 to 1048576 patches). */
    readonly columns?: number | undefined;
    /** Seed of random initial values. Default: 0 (at least 0). */
    readonly seed?: number | undefined;
  };
  /** Injection point: query_key. */
  readonly mrope: {
    /** This encoding. */
    readonly id: 'mrope';
    /** Sets the lowest frequency, which is near 1 / base. Default: 1000000 (at least 1.001). */
    readonly base?: number | undefined;
    /** Pairs of channels: interleaved, 2t and 2t + 1, or half-split, t and t + d/2 (Qwen). Default: half_split. */
    readonly layout?: 'interleaved' | 'half_split' | undefined;
    /** Coordinate of each pair: blocks of time, row and column (Qwen2-VL), interleaved (Qwen3-VL), or time for the slowest pairs, with the others interleaved (VideoRoPE). Default: contiguous. */
    readonly arrangement?: 'contiguous' | 'interleaved' | 'video' | undefined;
    /** Numbers of pairs rotated by time, row and column; default: 2 : 3 : 3. Shape: 3. */
    readonly sections?: Numbers | undefined;
    /** Number of pairs rotated by time; 0: a quarter of all pairs. Default: 0 (0 to 524288 pairs). */
    readonly temporal_pairs?: number | undefined;
    /** Fraction of rotated channels; frequencies are base^(-2t / rotated channels). Default: 1 (0 to 1). */
    readonly rotary_fraction?: number | undefined;
    /** Number of rotated channels; 0: set by rotary_fraction. Default: 0 (0 to 1048576 channels). */
    readonly rotary_dim?: number | undefined;
    /** p-RoPE: fraction of pairs to rotate, fastest first. Default: 1 (0 to 1). */
    readonly kept_fraction?: number | undefined;
    /** Frequency scaling for texts longer than in training: linear (Gemma 3), dynamic_ntk (InternLM2), yarn (DeepSeek, gpt-oss), longrope (Phi-3), llama3 (Llama 3.1); others come from papers and forums. Default: none. */
    readonly scaling?:
      | 'none'
      | 'linear'
      | 'ntk_aware'
      | 'dynamic_ntk'
      | 'by_parts'
      | 'yarn'
      | 'longrope'
      | 'llama3'
      | 'part_ntk'
      | undefined;
    /** Context extension factor. Default: 4 (1 to 1000000). */
    readonly factor?: number | undefined;
    /** Context length of the original training. Default: 2048 (at least 2 tokens). */
    readonly original_length?: number | undefined;
    /** longrope: context length after extension; 0: factor times original_length. Default: 0 (at least 0 tokens). */
    readonly max_length?: number | undefined;
    /** dynamic_ntk and longrope: length of the text; 0: not longer than original_length. Default: 0 (at least 0 tokens). */
    readonly sequence_length?: number | undefined;
    /** Factor applied to cosines and sines; 0: determined by the scaling. Default: 0 (0 to 1000). */
    readonly attention_factor?: number | undefined;
    /** by_parts and yarn: frequencies with at least this many rotations in original_length are unchanged. Default: 32 (0.001 to 1000000 turns). */
    readonly beta_fast?: number | undefined;
    /** by_parts and yarn: frequencies with at most this many rotations are divided by the factor. Default: 1 (0.001 to 1000000 turns). */
    readonly beta_slow?: number | undefined;
    /** by_parts and yarn: rounds the ends of the ramp to whole pairs (not in gpt-oss). Default: true. */
    readonly truncate?: boolean | undefined;
    /** yarn: mscale of DeepSeek's attention factor; 0: the paper's factor. Default: 0 (0 to 1000). */
    readonly mscale?: number | undefined;
    /** yarn: mscale of the divisor in DeepSeek's attention factor; 0: the paper's factor. Default: 0 (0 to 1000). */
    readonly mscale_all_dim?: number | undefined;
    /** llama3: frequencies with at most this many rotations are divided by the factor. Default: 1 (0.001 to 1000000 turns). */
    readonly low_freq_factor?: number | undefined;
    /** llama3: frequencies with at least this many rotations are unchanged. Default: 4 (0.001 to 1000000 turns). */
    readonly high_freq_factor?: number | undefined;
    /** longrope: divisor of each frequency up to original_length; default: 1. Shape: pairs. */
    readonly short_factor?: Numbers | undefined;
    /** longrope: divisor of each frequency beyond original_length; default: factor. Shape: pairs. */
    readonly long_factor?: Numbers | undefined;
    /** longrope: attention factor, su: sqrt(1 + ln s / ln original_length) (Phi-3), yarn: 0.1 ln s + 1. Default: su. */
    readonly magnitude?: 'su' | 'yarn' | undefined;
    /** part_ntk: start of the ramp from NTK-aware to linear. Default: 1.25 (0.001 to 1000000 turns). */
    readonly beta_0?: number | undefined;
    /** part_ntk: end of the ramp from NTK-aware to linear. Default: 0.75 (0.001 to 1000000 turns). */
    readonly beta_1?: number | undefined;
    /** part_ntk: start of the ramp from original to scaled frequencies. Default: 16 (0.001 to 1000000 turns). */
    readonly gamma_0?: number | undefined;
    /** part_ntk: end of the ramp from original to scaled frequencies. Default: 2 (0.001 to 1000000 turns). */
    readonly gamma_1?: number | undefined;
  };
  /** Injection point: input. */
  readonly multi_frequency: {
    /** This encoding. */
    readonly id: 'multi_frequency';
    /** Position of the first token. Default: 0 (0 to 1 tokens). */
    readonly start?: number | undefined;
  };
  /** Injection point: input. */
  readonly nerf: {
    /** This encoding. */
    readonly id: 'nerf';
    /** Number L of frequencies per coordinate, each with sine and cosine. Default: 10 (1 to 32). */
    readonly levels?: number | undefined;
    /** Prepends the coordinates, as in the authors' code. Default: false. */
    readonly include_input?: boolean | undefined;
    /** Frequencies double from level to level (paper), or are evenly spaced (the authors' code). Default: log. */
    readonly sampling?: 'log' | 'linear' | undefined;
    /** Frequencies are multiplied by pi (paper), or not (the authors' code). Default: true. */
    readonly factor_pi?: boolean | undefined;
    /** Divisor of positions; 1 for coordinates in [-1, 1]. Default: 1024 (0.001 to 1000000000 tokens). */
    readonly extent?: number | undefined;
  };
  /** Does not enter attention. */
  readonly none: {
    /** This encoding. */
    readonly id: 'none';
  };
  /** Injection point: input. */
  readonly normalised_index: {
    /** This encoding. */
    readonly id: 'normalised_index';
    /** Position p of n tokens becomes (p+1)/n, p/n or p/(n-1). Default: over_n_from_one. */
    readonly convention?: 'over_n_from_one' | 'over_n' | 'linspace' | undefined;
    /** Values from 0 to 1, or from -1 to 1. Default: unit. */
    readonly range?: 'unit' | 'symmetric' | undefined;
  };
  /** Injection point: score_content. */
  readonly path: {
    /** This encoding. */
    readonly id: 'path';
    /** w is normalised to length 1, or unchanged. Default: true. */
    readonly normalise_w?: boolean | undefined;
    /** Added to |w|^2 before the square root. Default: 0.000001 (0 to 1). */
    readonly eps?: number | undefined;
    /** Multiplies log gates by the attention scale (fla's checkpoints). Default: true. */
    readonly gate_scaled?: boolean | undefined;
    /** Rank of the two projections that compute w from embeddings. Default: 32 (1 to 4096). */
    readonly rank?: number | undefined;
    /** First projection from embeddings to w. Shape: rank x embed_dim. */
    readonly w_down?: Numbers | undefined;
    /** Second projection from embeddings to w. Shape: channels x rank. */
    readonly w_up?: Numbers | undefined;
    /** Convolution of the projected w over three tokens. Shape: channels x 3. */
    readonly w_conv?: Numbers | undefined;
    /** Weights in beta = 2 sigmoid(weights . x + bias) for an embedding x. Shape: kv_heads x embed_dim. */
    readonly beta_weight?: Numbers | undefined;
    /** Bias in beta = 2 sigmoid(weights . x + bias) for an embedding x. Shape: kv_heads. */
    readonly beta_bias?: Numbers | undefined;
    /** Seed of random initial values. Default: 0 (at least 0). */
    readonly seed?: number | undefined;
  };
  /** Injection point: query_key. */
  readonly pope: {
    /** This encoding. */
    readonly id: 'pope';
    /** Sets the lowest frequency, which is near 1 / base. Default: 10000 (at least 1.001). */
    readonly base?: number | undefined;
    /** Learned phase of each channel, in radians, from -2 pi to 0. Shape: heads x dim. */
    readonly phase?: Numbers | undefined;
    /** Seed of random initial values. Default: 0 (at least 0). */
    readonly seed?: number | undefined;
  };
  /** Injection point: score. */
  readonly proximal: {
    /** This encoding. */
    readonly id: 'proximal';
  };
  /** Injection point: score. */
  readonly relative_bias: {
    /** This encoding. */
    readonly id: 'relative_bias';
    /** Longest text; the table has 2 max_length - 1 entries. Default: 2048 (1 to 65536 tokens). */
    readonly max_length?: number | undefined;
    /** Adds the bias to the scaled scores (Swin), or to q.k before scaling. Default: outside. */
    readonly placement?: 'outside' | 'inside' | undefined;
    /** Distances beyond the table: an error, or the last entry on the same side. Default: refuse. */
    readonly beyond?: 'refuse' | 'clip' | undefined;
    /** Separate tables per head (Swin). Default: false. */
    readonly per_head?: boolean | undefined;
    /** Trained bias of each distance i - j, at index i - j + max_length - 1. Shape: 2 max_length - 1, or heads x (2 max_length - 1). */
    readonly b?: Numbers | undefined;
    /** Standard deviation of random initial values. Default: 1 (0 to 100). */
    readonly init_std?: number | undefined;
    /** Seed of random initial values. Default: 0 (at least 0). */
    readonly seed?: number | undefined;
  };
  /** Injection point: query_key. */
  readonly rope: {
    /** This encoding. */
    readonly id: 'rope';
    /** Sets the lowest frequency, which is near 1 / base. Default: 10000 (at least 1.001). */
    readonly base?: number | undefined;
    /** Pairs of channels: interleaved, 2t and 2t + 1 (RoFormer, GPT-J, GLM, Meta's Llama files), or half-split, t and t + d/2 (GPT-NeoX, Qwen, Gemma, Hugging Face's Llama, most others). Default: interleaved. */
    readonly layout?: 'interleaved' | 'half_split' | undefined;
    /** Sign of the angles: at position p, a pair with frequency w rotates by p w, or by -p w (nanochat). Default: positive. */
    readonly direction?: 'positive' | 'negative' | undefined;
    /** Number of unrotated channels before the rotated ones (DeepSeek's latent attention). Default: 0 (0 to 1048576 channels). */
    readonly rotary_offset?: number | undefined;
    /** LongRoPE: number of initial tokens without scaling. Default: 0 (at least 0 tokens). */
    readonly start_tokens?: number | undefined;
    /** Remaps distances for texts longer than the training length. Default: none. */
    readonly remap?: 'none' | 'self_extend' | 'rerope' | 'leaky_rerope' | 'lm_infinite' | 'dual_chunk' | undefined;
    /** remap: distances below this are unchanged. Default: 512 (at least 1 tokens). */
    readonly window?: number | undefined;
    /** self_extend: beyond the window, positions are divided by this and rounded down. Default: 8 (at least 1 tokens). */
    readonly group?: number | undefined;
    /** leaky_rerope: divides the part of a distance that exceeds the window. Default: 16 (1 to 1000000000). */
    readonly leak?: number | undefined;
    /** lm_infinite: number of initial tokens visible beyond the window. Default: 10 (at least 0 tokens). */
    readonly sink_tokens?: number | undefined;
    /** lm_infinite: distance assigned to keys beyond the window. Default: 512 (at least 0 tokens). */
    readonly max_distance?: number | undefined;
    /** dual_chunk: chunk size. Default: 512 (1 to 1073741823 tokens). */
    readonly chunk?: number | undefined;
    /** dual_chunk: largest position of a query (paper: training length - 1). Default: 767 (at least 0 tokens). */
    readonly max_position?: number | undefined;
    /** rerope, leaky_rerope: multiplies the scores of query i by max(1, ln(i + 1) / ln(training_length)); 0: no factor. Default: 0 (at least 0 tokens). */
    readonly training_length?: number | undefined;
    /** Fraction of rotated channels; frequencies are base^(-2t / rotated channels). Default: 1 (0 to 1). */
    readonly rotary_fraction?: number | undefined;
    /** Number of rotated channels; 0: set by rotary_fraction. Default: 0 (0 to 1048576 channels). */
    readonly rotary_dim?: number | undefined;
    /** p-RoPE: fraction of pairs to rotate, fastest first. Default: 1 (0 to 1). */
    readonly kept_fraction?: number | undefined;
    /** Frequency scaling for texts longer than in training: linear (Gemma 3), dynamic_ntk (InternLM2), yarn (DeepSeek, gpt-oss), longrope (Phi-3), llama3 (Llama 3.1); others come from papers and forums. Default: none. */
    readonly scaling?:
      | 'none'
      | 'linear'
      | 'ntk_aware'
      | 'dynamic_ntk'
      | 'by_parts'
      | 'yarn'
      | 'longrope'
      | 'llama3'
      | 'part_ntk'
      | undefined;
    /** Context extension factor. Default: 4 (1 to 1000000). */
    readonly factor?: number | undefined;
    /** Context length of the original training. Default: 2048 (at least 2 tokens). */
    readonly original_length?: number | undefined;
    /** longrope: context length after extension; 0: factor times original_length. Default: 0 (at least 0 tokens). */
    readonly max_length?: number | undefined;
    /** dynamic_ntk and longrope: length of the text; 0: not longer than original_length. Default: 0 (at least 0 tokens). */
    readonly sequence_length?: number | undefined;
    /** Factor applied to cosines and sines; 0: determined by the scaling. Default: 0 (0 to 1000). */
    readonly attention_factor?: number | undefined;
    /** by_parts and yarn: frequencies with at least this many rotations in original_length are unchanged. Default: 32 (0.001 to 1000000 turns). */
    readonly beta_fast?: number | undefined;
    /** by_parts and yarn: frequencies with at most this many rotations are divided by the factor. Default: 1 (0.001 to 1000000 turns). */
    readonly beta_slow?: number | undefined;
    /** by_parts and yarn: rounds the ends of the ramp to whole pairs (not in gpt-oss). Default: true. */
    readonly truncate?: boolean | undefined;
    /** yarn: mscale of DeepSeek's attention factor; 0: the paper's factor. Default: 0 (0 to 1000). */
    readonly mscale?: number | undefined;
    /** yarn: mscale of the divisor in DeepSeek's attention factor; 0: the paper's factor. Default: 0 (0 to 1000). */
    readonly mscale_all_dim?: number | undefined;
    /** llama3: frequencies with at most this many rotations are divided by the factor. Default: 1 (0.001 to 1000000 turns). */
    readonly low_freq_factor?: number | undefined;
    /** llama3: frequencies with at least this many rotations are unchanged. Default: 4 (0.001 to 1000000 turns). */
    readonly high_freq_factor?: number | undefined;
    /** longrope: divisor of each frequency up to original_length; default: 1. Shape: pairs. */
    readonly short_factor?: Numbers | undefined;
    /** longrope: divisor of each frequency beyond original_length; default: factor. Shape: pairs. */
    readonly long_factor?: Numbers | undefined;
    /** longrope: attention factor, su: sqrt(1 + ln s / ln original_length) (Phi-3), yarn: 0.1 ln s + 1. Default: su. */
    readonly magnitude?: 'su' | 'yarn' | undefined;
    /** part_ntk: start of the ramp from NTK-aware to linear. Default: 1.25 (0.001 to 1000000 turns). */
    readonly beta_0?: number | undefined;
    /** part_ntk: end of the ramp from NTK-aware to linear. Default: 0.75 (0.001 to 1000000 turns). */
    readonly beta_1?: number | undefined;
    /** part_ntk: start of the ramp from original to scaled frequencies. Default: 16 (0.001 to 1000000 turns). */
    readonly gamma_0?: number | undefined;
    /** part_ntk: end of the ramp from original to scaled frequencies. Default: 2 (0.001 to 1000000 turns). */
    readonly gamma_1?: number | undefined;
  };
  /** Injection point: query_key. */
  readonly rope_2d: {
    /** This encoding. */
    readonly id: 'rope_2d';
    /** Which channels form a pair, with the axis and frequency of each pair; pixel: as in lucidrains' code. Default: rope_vit. */
    readonly convention?: 'rope_vit' | 'llama4' | 'pixtral' | 'qwen2_vl' | 'pixel' | 'dinov3' | undefined;
    /** Sets the lowest frequency; 1: the convention's default, 100 or 10000. Default: 1 (1 to 1000000000). */
    readonly base?: number | undefined;
    /** Width of the image, for dinov3 or if positions are row-major indices. Default: 8 (1 to 1048576 patches). */
    readonly columns?: number | undefined;
    /** Height of the image. Default: 8 (1 to 1048576 patches). */
    readonly rows?: number | undefined;
    /** Number of initial tokens that are not rotated, if positions are row-major indices. Default: 0 (0 to 1048576 tokens). */
    readonly prefix_tokens?: number | undefined;
    /** The fastest pair rotates by pi max_freq / 2 from the image centre to an edge. Default: 10 (2 to 1000000). */
    readonly max_freq?: number | undefined;
    /** Number of rotated channels; 0: all. Default: 0 (0 to 1048576 channels). */
    readonly rotary_dim?: number | undefined;
  };
  /** Injection point: query_key. */
  readonly rope_fourier: {
    /** This encoding. */
    readonly id: 'rope_fourier';
    /** Sets the lowest frequency, which is near 1 / base. Default: 10000 (at least 1.001). */
    readonly base?: number | undefined;
    /** Drops frequencies that complete no rotation within this training length; 0: keeps all. Default: 0 (at least 0 tokens). */
    readonly floor_length?: number | undefined;
    /** Number of channel pairs that mix frequencies; 0: dim / 4, as in the authors' code. Default: 0 (0 to 524288 pairs). */
    readonly pairs?: number | undefined;
    /** Other pairs are unchanged, or have cosine and sine 1, which doubles their products (the authors' code). Default: identity. */
    readonly rest?: 'identity' | 'sine_one' | undefined;
    /** Weight of each frequency in the sine of each pair. Shape: heads x frequencies x pairs. */
    readonly sin_weight?: Numbers | undefined;
    /** Weight of each frequency in the cosine of each pair. Shape: heads x frequencies x pairs. */
    readonly cos_weight?: Numbers | undefined;
    /** Gain of the Xavier noise in the initial weights. Default: 0.3 (0 to 100). */
    readonly noise?: number | undefined;
    /** Seed of random initial values. Default: 0 (at least 0). */
    readonly seed?: number | undefined;
  };
  /** Injection point: query_key. */
  readonly rope_mixed: {
    /** This encoding. */
    readonly id: 'rope_mixed';
    /** Learned frequencies (fx, fy), column first; default: random. Shape: 2 x heads x pairs. */
    readonly frequencies?: Numbers | undefined;
    /** Sets the lowest frequency before training. Default: 10 (1.001 to 1000000000). */
    readonly base?: number | undefined;
    /** Width of the image, if positions are row-major indices. Default: 8 (1 to 1048576 patches). */
    readonly columns?: number | undefined;
    /** Seed of each head's random direction. Default: 0 (at least 0). */
    readonly seed?: number | undefined;
  };
  /** Injection point: query_key. */
  readonly rope_selective: {
    /** This encoding. */
    readonly id: 'rope_selective';
    /** Sets the lowest frequency, which is near 1 / base. Default: 500000 (at least 1.001). */
    readonly base?: number | undefined;
    /** Pairs of channels: half-split, t and t + d/2, or interleaved, 2t and 2t + 1. Default: half_split. */
    readonly layout?: 'half_split' | 'interleaved' | undefined;
    /** Factor applied to all angles. Default: 1 (0 to 1000). */
    readonly temperature_max?: number | undefined;
    /** Rank of the projection from embeddings to steps. Default: 16 (1 to 4096). */
    readonly rank?: number | undefined;
    /** First projection from embeddings to steps. Shape: rank x embed_dim. */
    readonly phi_down?: Numbers | undefined;
    /** Second projection from embeddings to steps. Shape: channels x rank. */
    readonly phi_up?: Numbers | undefined;
    /** Convolution of the projected steps over four tokens. Shape: channels x 4. */
    readonly phi_conv?: Numbers | undefined;
    /** Adds e^phi_bias to the projected steps. Default: false. */
    readonly biased?: boolean | undefined;
    /** Logarithm of the bias added to the projected steps. Shape: heads x pairs. */
    readonly phi_bias?: Numbers | undefined;
    /** Multiplies each token's steps by a gate. Default: false. */
    readonly gated?: boolean | undefined;
    /** Weights in gate = sigmoid(weights . x + bias) for an embedding x. Shape: heads x embed_dim. */
    readonly gate_weight?: Numbers | undefined;
    /** Bias in gate = sigmoid(weights . x + bias) for an embedding x. Shape: heads. */
    readonly gate_bias?: Numbers | undefined;
    /** Seed of random initial values. Default: 0 (at least 0). */
    readonly seed?: number | undefined;
  };
  /** Injection point: score. */
  readonly sandwich: {
    /** This encoding. */
    readonly id: 'sandwich';
    /** Even width of the sinusoidal vectors whose inner product is the bias. Default: 128 (2 to 4096 channels). */
    readonly db?: number | undefined;
    /** Sets the lowest frequency. Default: 10000 (1.001 to 1000000000). */
    readonly base?: number | undefined;
    /** Index of the first frequency: 0, as in the sinusoidal table, or 1 (NeMo). Default: from_zero. */
    readonly index?: 'from_zero' | 'from_one' | undefined;
  };
  /** Injection point: key_value. */
  readonly shaw: {
    /** This encoding. */
    readonly id: 'shaw';
    /** Keys at or beyond this distance share one vector per side. Default: 16 (1 to 4096 tokens). */
    readonly clip?: number | undefined;
    /** Table rows are ordered by j - i (paper), or by i - j (Hugging Face). Default: right_positive. */
    readonly direction?: 'right_positive' | 'left_positive' | undefined;
    /** Vectors are added to keys and values (paper), or only to keys (BERT, Music Transformer). Default: true. */
    readonly values?: boolean | undefined;
    /** Separate tables per head (later versions of tensor2tensor). Default: false. */
    readonly per_head?: boolean | undefined;
    /** Trained vectors added to keys. Shape: (2 clip + 1) x dim, or heads x (2 clip + 1) x dim. */
    readonly table_k?: Numbers | undefined;
    /** Trained vectors added to values. Shape: (2 clip + 1) x v_head_dim, or heads x (2 clip + 1) x v_head_dim. */
    readonly table_v?: Numbers | undefined;
    /** Standard deviation of random initial values. Default: 1 (0 to 100). */
    readonly init_std?: number | undefined;
    /** Seed of random initial values. Default: 0 (at least 0). */
    readonly seed?: number | undefined;
  };
  /** Injection point: input. */
  readonly sin_cos: {
    /** This encoding. */
    readonly id: 'sin_cos';
    /** Position of the first token. Default: 0 (0 to 1 tokens). */
    readonly start?: number | undefined;
  };
  /** Injection point: input. */
  readonly sine: {
    /** This encoding. */
    readonly id: 'sine';
    /** Position of the first token. Default: 0 (0 to 1 tokens). */
    readonly start?: number | undefined;
  };
  /** Injection point: input. */
  readonly sinusoidal: {
    /** This encoding. */
    readonly id: 'sinusoidal';
    /** Sets the lowest frequency, which is near 1 / base. Default: 10000 (1.001 to 1000000000). */
    readonly base?: number | undefined;
    /** Sine and cosine alternate (paper, DistilBERT), or all sines come first (Marian, Whisper, M2M100). Default: interleaved. */
    readonly layout?: 'interleaved' | 'concatenated' | undefined;
    /** Divisor in the exponent of the frequencies: dim (Marian), or the number of sinusoids minus 1 (tensor2tensor: Whisper; fairseq: M2M100). Default: paper. */
    readonly frequencies?: 'paper' | 'tensor2tensor' | 'fairseq' | undefined;
    /** If dim is odd: divides the exponents of the frequencies by dim, by dim + 1 (tatp22), or sets the last column to 0 (tensor2tensor, fairseq). Default: formula. */
    readonly odd_width?: 'formula' | 'rounded_up' | 'zero_padded' | undefined;
    /** Sets the highest frequency. Default: 1 (0.000001 to 1000000000). */
    readonly min_timescale?: number | undefined;
    /** Sets the lowest frequency. Default: 10000 (0.000001 to 1000000000 tokens). */
    readonly max_timescale?: number | undefined;
    /** Position whose row is all zeros (fairseq); -1: none. Default: -1 (at least -1). */
    readonly padding_idx?: number | undefined;
    /** Multiplies the table by a trained scale, initially 1/sqrt(dim) (x-transformers). Default: false. */
    readonly scaled?: boolean | undefined;
    /** Trained factor. Shape: 1. */
    readonly scale?: Numbers | undefined;
  };
  /** Injection point: input. */
  readonly sinusoidal_grid: {
    /** This encoding. */
    readonly id: 'sinusoidal_grid';
    /** Channel order and frequencies: column first (MAE, MoCo v3); or row first, with sine and cosine alternating (tatp22) or in blocks. Default: mae. */
    readonly convention?: 'mae' | 'interleaved' | 'tensor2tensor' | undefined;
    /** Sets the lowest frequency. Default: 10000 (1.001 to 1000000000). */
    readonly base?: number | undefined;
    /** Sets the highest frequency. Default: 1 (0.000001 to 1000000000). */
    readonly min_timescale?: number | undefined;
    /** Sets the lowest frequency. Default: 10000 (0.000001 to 1000000000 tokens). */
    readonly max_timescale?: number | undefined;
  };
  /** Injection point: score. */
  readonly t5: {
    /** This encoding. */
    readonly id: 't5';
    /** Total number of buckets on both sides. Default: 32 (2 to 4096 buckets). */
    readonly num_buckets?: number | undefined;
    /** Larger distances share the last bucket. Default: 128 (2 to 1048576 tokens). */
    readonly max_distance?: number | undefined;
    /** Buckets for both sides (T5's encoder), or for the left only (its decoder). Default: true. */
    readonly bidirectional?: boolean | undefined;
    /** Factor on the bias; sqrt(d) in x-transformers and GPT-NeoX, which also scale the scores. Default: 1 (-1000 to 1000). */
    readonly multiplier?: number | undefined;
    /** Trained bias of each bucket and head. Shape: num_buckets x heads. */
    readonly table?: Numbers | undefined;
    /** Standard deviation of random initial values. Default: 1 (0 to 100). */
    readonly init_std?: number | undefined;
    /** Seed of random initial values. Default: 0 (at least 0). */
    readonly seed?: number | undefined;
  };
  /** Injection point: score_content. */
  readonly transformer_xl: {
    /** This encoding. */
    readonly id: 'transformer_xl';
    /** Sets the lowest frequency, which is near 1 / base. Default: 10000 (1.001 to 1000000000). */
    readonly base?: number | undefined;
    /** All sines come first (paper, XLNet), or sine and cosine alternate (Conformer). Default: concatenated. */
    readonly layout?: 'concatenated' | 'interleaved' | undefined;
    /** Distances are clamped to this; 0: no clamping. Default: 0 (0 to 1048576 tokens). */
    readonly clamp_len?: number | undefined;
    /** Trained vector added to queries in the product with keys. Shape: heads x dim. */
    readonly u?: Numbers | undefined;
    /** Trained vector added to queries in the product with projected sinusoids. Shape: heads x dim. */
    readonly v?: Numbers | undefined;
    /** Trained projection of the sinusoids, which have D channels. Shape: (heads times dim) x D. */
    readonly w_r?: Numbers | undefined;
    /** Seed of random initial values. Default: 0 (at least 0). */
    readonly seed?: number | undefined;
  };
  /** Injection point: query_key. */
  readonly xpos: {
    /** This encoding. */
    readonly id: 'xpos';
    /** Sets the lowest frequency, which is near 1 / base. Default: 10000 (1.001 to 1000000000). */
    readonly base?: number | undefined;
    /** Pairs of channels: interleaved, 2t and 2t + 1 (torchscale), or half-split, t and t + d/2 (most models). Default: interleaved. */
    readonly layout?: 'interleaved' | 'half_split' | undefined;
    /** B: number of tokens over which pair t decays by the factor zeta_t. Default: 512 (1 to 1000000000 tokens). */
    readonly scale_base?: number | undefined;
    /** Sets the factor of the fastest pair, zeta_0 = gamma / (1 + gamma). Default: 0.4 (0.001 to 1000). */
    readonly gamma?: number | undefined;
    /** Number of tokens n; the middle position has scale 1, or position 0 if n is 0. Default: 0 (at least 0 tokens). */
    readonly length?: number | undefined;
    /** The middle position: ceil(n/2) or floor(n/2). Default: torchscale. */
    readonly center?: 'torchscale' | 'lucidrains' | undefined;
  };
}
