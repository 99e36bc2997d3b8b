import type { Page } from 'playwright-core'
import type { SandboxWorld } from './sandboxWorld.js'

/** How long a transfer may take on a machine that does other things as well. */
export const ARRIVES = { timeout: 90_000 }

/** Sends by the account of the sandbox between chains of these names, and follows the transfer to its own page. */
export const tryTransfer = async (
  page: Page,
  world: SandboxWorld,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> => {
  const { chains } = world.info()
  const [origin, destination] = [from, to].map((name) => chains.find((chain) => chain.name === name)?.id)
  await page.goto(`/try?from=${origin}&to=${destination}`)
  await page.getByRole('button', { name: 'Send with the sandbox’s account' }).click(ARRIVES)
  await page.getByText(/^Arrived after [\d.]+ s$/).waitFor(ARRIVES)
  await page.getByRole('link', { name: 'Open its page to share' }).click()
  await page.getByText(/^Done\. What you paid on/).waitFor()
}
