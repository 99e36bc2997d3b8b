import { Button } from '../../../components/controls/Button.js'
import { Badge } from '../../../components/values/Badge.js'
import { PageHead } from '../../../shell/PageHead.js'
import { trackTexts } from '../../../texts/trackTexts.js'
import { LookupForm } from './LookupForm.js'

const words = trackTexts

/** Nothing has this id, or not yet. */
export const NothingFound = ({ id }: { readonly id: string }) => (
  <>
    <PageHead title={words.unknown.title} lead={<span className="mono wrap">{id}</span>}>
      <Badge tone="busy">{words.unknown.lookingAgain}</Badge>
    </PageHead>
    <section className="card">
      <ul className="track-list">
        {words.unknown.reasons.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      <LookupForm first={id} />
    </section>
  </>
)

/** The history of an address is for who owns it. */
export const AddressFound = ({ address }: { readonly address: string }) => (
  <>
    <PageHead title={words.address.title} lead={<span className="mono wrap">{address}</span>} />
    <section className="card">
      <p>{words.address.lead}</p>
      <div className="row">
        <Button kind="primary" asChild>
          <a href={`/dashboard/requests?user=${encodeURIComponent(address)}`}>{words.address.signIn}</a>
        </Button>
      </div>
    </section>
    <section className="card">
      <LookupForm />
    </section>
  </>
)
