// The command-line program of the package: `phasor doctor`.

import { writeFile } from 'node:fs/promises';
import { toSvg } from '../charts/render/svg.ts';
import { diagnoseWith } from '../engine/doctor/diagnose.ts';
import type { Report } from '../engine/doctor/report.ts';
import { createTestCase } from '../engine/doctor/test-case.ts';
import { messageOf } from '../engine/errors.ts';
import { createPhasor } from '../engine/node.ts';
import { createLook } from '../figure/contract/theme.ts';
import { hasPicture, reportScene } from '../figure/kinds/doctor/scene.ts';
import { type DoctorOptions, HELP, readOptions } from './doctor/options.ts';
import { formatReport, formatReportJson, toExitCode } from './doctor/print.ts';
import { readRequest } from './doctor/requests.ts';
import { writeTestFiles } from './doctor/test-files.ts';
import { toPngUrl } from './png.ts';

const PICTURE_WIDTH_PX = 860;

/** Renders a report as SVG. Throws an Error if the report has no picture. */
function drawPicture(report: Report): string {
  if (!hasPicture(report)) throw new Error(`--picture: no picture exists for this report: ${report.verdict}`);
  const { theme, palette } = createLook('light');
  return toSvg(reportScene(report, { width: PICTURE_WIDTH_PX, theme }).picture, toPngUrl, palette);
}

const EXIT_CODE_UNREADABLE = 3;

const formatClaim = ({ config, layer, claim }: DoctorOptions) =>
  config === undefined ? JSON.stringify(claim ?? 'positions count tokens') : `${config}${layer === undefined ? '' : `, layer ${layer}`}`;

/** Runs `write`, and adds the option's name to its errors. */
async function withOptionName<Result>(option: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    throw new Error(`--${option}: the file cannot be written (${messageOf(error)})`);
  }
}

async function runDoctor(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (options.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const { request, inputs } = await readRequest(options);
  // 'auto' may select a variant with fused multiply-adds. With 'simd', reports are identical on all machines.
  const phasor = await createPhasor({ variant: 'simd' });
  const report = diagnoseWith(phasor, request);
  console.log(options.json ? formatReportJson(report, inputs) : formatReport(report));
  const { picture, writeTest } = options;
  if (picture !== undefined) {
    const text = drawPicture(report);
    await withOptionName('picture', () => writeFile(picture, text));
  }
  if (writeTest !== undefined) {
    const testCase = createTestCase(phasor, request, report);
    const files = await withOptionName('write-test', () => writeTestFiles(writeTest, options.port, testCase, formatClaim(options)));
    if (!options.json) console.log(`Written: ${files.join(', ')}`);
  }
  return toExitCode(report);
}

const [command, ...commandArgs] = process.argv.slice(2);
if (command === 'doctor') {
  runDoctor(commandArgs).then(
    (exitCode) => {
      process.exitCode = exitCode;
    },
    (error: unknown) => {
      console.error(messageOf(error));
      process.exitCode = EXIT_CODE_UNREADABLE;
    },
  );
} else {
  const isHelpRequested = command === undefined || command === 'help' || command === '--help' || command === '-h';
  if (!isHelpRequested) console.error(`${command}: unknown command; expected doctor`);
  process.stdout.write(HELP);
  process.exitCode = isHelpRequested ? 0 : EXIT_CODE_UNREADABLE;
}
