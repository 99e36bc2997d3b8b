import { expect, it } from 'vitest'
import type { RecordedChain, SandboxState } from '../../state/sandboxState.js'
import { Payer } from '../payer.js'
import { makeTrouble, TROUBLES } from './makeTrouble.js'

it.each(TROUBLES)('%s is refused where no chain has contracts, and says which have', async (kind) => {
  // CAST: nothing else of it is looked at.
  const chains = ['r4tH98dsEJYpEoPH1NgkiK6BfXKeuG1Vpz', 'bcrt1qw7tanal6qk3uspvy4ye4npjggj4nn7qrmmr9hf'].map(
    (depository, id) => ({ id, depository }) as RecordedChain,
  )
  const made = async () => makeTrouble({ chains } as unknown as SandboxState, new Payer(), kind)
  await expect(made()).rejects.toThrow(
    expect.objectContaining({ status: 409, message: expect.stringContaining('harbor or lagoon') }),
  )
})
