import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../components/controls/Button.js'
import { type Column, DataTable } from '../../../components/data/DataTable.js'
import { EmptyState } from '../../../components/feedback/States.js'
import { Badge } from '../../../components/values/Badge.js'
import { Copyable } from '../../../components/values/Copyable.js'
import { Time } from '../../../components/values/Time.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { texts } from '../../../texts/texts.js'
import { useChains } from '../data/chains.js'
import { useCursorList } from '../data/cursorList.js'
import { IntegratorPicker, useScope } from '../data/scope.js'
import { WALLETS_PATH, type WalletAccess, WalletDialog } from './WalletDialog.js'

const words = dashboardTexts.access.wallets

interface WalletsAnswer {
  readonly wallets: readonly WalletAccess[]
  readonly nextCursor: string | null
}

const Role = ({ wallet: { operator, integratorId, chainId } }: { readonly wallet: WalletAccess }) => {
  const { nameOf } = useChains()
  const role = operator ? 'operator' : integratorId === null ? 'none' : 'integrator'
  return (
    <span className="row">
      <Badge tone={operator ? 'warn' : 'plain'}>{words.roles[role]}</Badge>
      {chainId !== null && <span className="small soft">{words.contract(nameOf(chainId))}</span>}
    </span>
  )
}

const columns = (open: (wallet: WalletAccess) => void): readonly Column<WalletAccess>[] => [
  {
    id: 'address',
    title: words.columns.address,
    width: 'minmax(0, 1.2fr)',
    wide: true,
    cell: ({ address }) => <Copyable text={address} what={words.wallet} short />,
  },
  { id: 'role', title: words.columns.role, cell: (wallet) => <Role wallet={wallet} /> },
  {
    id: 'integrator',
    title: words.columns.integrator,
    cell: ({ integratorId }) =>
      integratorId === null ? (
        <span className="faint">{texts.data.none}</span>
      ) : (
        <Copyable text={integratorId} what={dashboardTexts.access.integrators.id} short />
      ),
  },
  {
    id: 'signedIn',
    title: words.columns.signedIn,
    width: '7rem',
    align: 'end',
    cell: ({ signedInAt }) =>
      signedInAt === null ? <span className="faint">{words.never}</span> : <Time at={signedInAt} />,
  },
  {
    id: 'change',
    title: words.columns.change,
    width: '6rem',
    align: 'end',
    cell: (wallet) => (
      <Button size="small" onClick={() => open(wallet)}>
        {words.change}
      </Button>
    ),
  },
]

/** For operators: wallets, and what they may. */
export const Wallets = () => {
  const scope = useScope()
  const client = useQueryClient()
  const [open, setOpen] = useState<WalletAccess | 'new' | null>(null)
  const { table } = useCursorList<WalletsAnswer, WalletAccess>({
    path: WALLETS_PATH,
    query: { ...scope.query, limit: 50 },
    rowsOf: ({ wallets }) => wallets,
    nextOf: ({ nextCursor }) => nextCursor,
  })
  return (
    <section className="stack" aria-label={words.list}>
      <div className="row between">
        <IntegratorPicker />
        <Button kind="primary" onClick={() => setOpen('new')}>
          <Plus aria-hidden />
          {words.add}
        </Button>
      </div>
      <DataTable
        label={words.list}
        columns={columns(setOpen)}
        rowKey={({ address }) => address}
        leastWidth={760}
        empty={
          <EmptyState title={words.empty}>
            <p>{words.emptyHow}</p>
          </EmptyState>
        }
        {...table}
      />
      {open !== null && (
        <WalletDialog
          wallet={open === 'new' ? null : open}
          integratorId={scope.integratorId}
          onClose={() => setOpen(null)}
          changed={() => client.invalidateQueries({ queryKey: [WALLETS_PATH] })}
        />
      )}
    </section>
  )
}
