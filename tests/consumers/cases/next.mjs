import { program, show } from '../program.mjs';

const files = {
  'app/layout.js': "export default function Layout({ children }) { return <html lang='en'><body>{children}</body></html>; }\n",
  'app/answer.js': program(),
  'app/client/page.js': `'use client';
import { useEffect } from 'react';
import { answer } from '../answer.js';
export default function Page() {
  useEffect(() => { ${show.trim()} }, []);
  return <p>consumer</p>;
}
`,
  // Computed on the server for each request.
  'app/server/page.js': `import { answer } from '../answer.js';
export const dynamic = 'force-dynamic';
export default async function Page() {
  const answered = await answer().then((value) => ({ value }), (error) => ({ error: error.name + ' ' + error.code + ': ' + error.message }));
  return <script dangerouslySetInnerHTML={{ __html: 'globalThis.answered = ' + JSON.stringify(answered) }} />;
}
`,
};
const clear = ['.next'];
/** @param {string} name @param {string[][]} before @param {string[]} command */
const pages = (name, before, command) =>
  ['client', 'server'].map((side, i) => ({
    title: `${name}, ${side} component`,
    kind: 'dev',
    path: `/${side}`,
    ...(i === 0 ? { clear, before } : {}),
    command,
  }));

/** The cases of a version; `first` is its default bundler, `second` the other one. @param {string} version @param {string} first @param {string} second */
const next = (version, first, second) => ({
  name: `next ${version}`,
  packages: [`next@${version}`, 'react@19', 'react-dom@19'],
  files,
  steps: [
    ...pages(`${first} build`, [['next', 'build']], ['next', 'start', '-p', 'PORT']),
    ...pages(`${first} development server`, [], ['next', 'dev', '-p', 'PORT']),
    ...pages(`${second} development server`, [], ['next', 'dev', `--${second.toLowerCase()}`, '-p', 'PORT']),
  ],
});

export default [next('15', 'webpack', 'Turbopack'), next('16', 'Turbopack', 'webpack')];
