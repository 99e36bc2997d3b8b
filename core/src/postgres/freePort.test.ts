import net from 'node:net'
import { expect, it } from 'vitest'
import { freePort } from './freePort.js'

it('is free, and none that the system gives to an outgoing connection', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, freePort))
  expect(new Set(ports).size).toBe(20)
  for (const port of ports) {
    expect(port).toBeLessThan(32_768)
    const server = net.createServer().listen(port, '127.0.0.1')
    await new Promise<void>((resolve, reject) => {
      server.once('listening', resolve)
      server.once('error', reject)
    })
    await new Promise((resolve) => server.close(resolve))
  }
})
