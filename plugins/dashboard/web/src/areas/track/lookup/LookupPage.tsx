import { PageHead } from '../../../shell/PageHead.js'
import { trackTexts } from '../../../texts/trackTexts.js'
import { LookupForm } from './LookupForm.js'

const words = trackTexts

/** Asks which transfer it is. */
export const LookupPage = () => (
  <>
    <PageHead title={words.title} lead={words.lead} />
    <section className="card">
      <LookupForm />
    </section>
    <section className="card">
      <h2>{words.lookup.whereTitle}</h2>
      <dl className="track-where">
        {words.lookup.where.map(([place, how]) => (
          <div key={place}>
            <dt>{place}</dt>
            <dd className="soft">{how}</dd>
          </div>
        ))}
      </dl>
    </section>
  </>
)
