import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Router from '@koa/router'
import Koa from 'koa'

/**
 * The floor of a first view: a page whose script, built into the folder given, shows one heading. Served as the host serves its
 * pages: by Koa, compressed beforehand. Prints its port.
 */
const [, , folder = ''] = process.argv
const scripts = join(folder, 'assets/scripts')
const names = readdirSync(scripts).filter((name) => name.endsWith('.js'))
const compressed = new Map(names.map((name) => [name, readFileSync(join(scripts, `${name}.br`))]))
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Empty</title>
${names.map((name) => `<script type="module" src="/dashboard/assets/scripts/${name}"></script>`).join('\n')}
</head>
<body><div id="root"></div></body>
</html>
`

const router = new Router()
router.get('/', (koa) => {
  koa.type = 'text/html'
  koa.body = page
})
router.get('/dashboard/assets/scripts/:name', (koa) => {
  const script = compressed.get(koa.params.name ?? '')
  if (script === undefined) return
  koa.set('content-encoding', 'br')
  koa.type = 'text/javascript'
  koa.body = script
})
const server = new Koa().use(router.routes()).listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) console.log(`port ${address.port}`)
})
