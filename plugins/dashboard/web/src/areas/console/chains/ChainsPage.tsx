import { useQuery } from '@tanstack/react-query'
import { type Column, DataTable } from '../../../components/data/DataTable.js'
import { EmptyState } from '../../../components/feedback/States.js'
import { PageHead } from '../../../shell/PageHead.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { texts } from '../../../texts/texts.js'
import { readCommand } from '../commands.js'
import { chainHref } from '../parts/hrefs.js'
import { ChainBadge } from './ChainBadge.js'
import { ChainView } from './ChainView.js'
import type { ChainStatus, ChainsReport } from './chainStatus.js'

const words = consoleTexts.chains

const COLUMNS: readonly Column<ChainStatus>[] = [
  {
    id: 'chain',
    title: words.chain,
    width: 'minmax(0, 1.4fr)',
    cell: ({ slug, name }) => (
      <div className="cut" title={name}>
        <strong>{slug}</strong> <span className="soft small">{name}</span>
      </div>
    ),
  },
  { id: 'state', title: words.state, width: '8.5rem', cell: (chain) => <ChainBadge chain={chain} /> },
  {
    id: 'head',
    title: words.head,
    width: 'minmax(0, 1.1fr)',
    cell: ({ head }) =>
      head === null ? (
        texts.data.none
      ) : (
        <span className="number">
          {head.height} <span className="soft small">{words.age(head.ageSeconds)}</span>
        </span>
      ),
  },
  {
    id: 'lag',
    title: words.lag,
    cell: ({ watcher }) => (watcher === null ? words.nothingRead : words.behind(watcher.lagBlocks ?? '?')),
  },
  {
    id: 'endpoints',
    title: words.endpoints,
    width: 'minmax(0, 0.8fr)',
    cell: ({ endpoints }) =>
      words.endpointsOk(endpoints.filter(({ state }) => state === 'ok').length, endpoints.length),
  },
  {
    id: 'quorum',
    title: words.quorum,
    width: 'minmax(0, 1.3fr)',
    cell: ({ quorum: { trusted, needed } }) => words.quorumOf(trusted, needed),
  },
]

/** Every chain, or the one that the address names. */
export const ChainsPage = ({ id }: { readonly id: string | null }) => {
  const query = useQuery(readCommand<ChainsReport>({ name: 'chains status' }))
  if (id !== null) return <ChainView slug={id} query={query} />
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      <DataTable
        label={words.title}
        columns={COLUMNS}
        rows={query.data?.chains}
        rowKey={({ chainId }) => String(chainId)}
        rowHref={({ slug }) => chainHref(slug)}
        error={query.error}
        retry={() => void query.refetch()}
        empty={
          <EmptyState title={words.empty}>
            <p>{words.emptyMore}</p>
          </EmptyState>
        }
        leastWidth={820}
      />
    </>
  )
}
