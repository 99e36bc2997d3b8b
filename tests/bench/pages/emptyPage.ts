import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startScript } from '../benchWorld.js'

const DASHBOARD = dirname(createRequire(import.meta.url).resolve('@causeway/plugin-dashboard/package.json'))

const SOURCE = `import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

createRoot(document.getElementById('root')).render(createElement('h1', null, 'Empty'))
`

interface Bundler {
  bundle(what: {
    readonly root: string
    readonly entries: readonly string[]
    readonly outFolder: string
  }): Promise<number>
}

/** A page of the same framework, built with the same settings, that shows one heading; served by a process of its own. */
export const serveEmptyPage = async (): Promise<{ readonly url: string; close(): Promise<void> }> => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-empty-page-'))
  const react = createRequire(join(DASHBOARD, 'package.json')).resolve('react/package.json')
  symlinkSync(dirname(dirname(react)), join(folder, 'node_modules'))
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src/main.js'), SOURCE)
  // CAST: the build script of the pages, which has no types.
  const { bundle } = (await import(pathToFileURL(join(DASHBOARD, 'build/bundle.mjs')).href)) as Bundler
  await bundle({ root: folder, entries: ['src/main.js'], outFolder: join(folder, 'built') })
  const server = startScript('pages/emptyPageServer.js', [join(folder, 'built')])
  return {
    url: `http://127.0.0.1:${await server.said('port')}`,
    close: async () => {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
