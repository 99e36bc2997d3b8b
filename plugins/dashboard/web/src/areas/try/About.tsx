import { tryTexts } from '../../texts/tryTexts.js'

const words = tryTexts.about

/** What the service does, in three steps, for whoever sees it for the first time. */
export const About = () => (
  <section className="card" aria-label={words.title}>
    <div className="tight">
      <h2>{words.title}</h2>
      <p className="soft">{words.lead}</p>
    </div>
    <ol className="about">
      {words.steps.map(([title, what], at) => (
        <li key={title}>
          <span className="about-number" aria-hidden>
            {at + 1}
          </span>
          <strong>{title}</strong>
          <p className="small soft">{what}</p>
        </li>
      ))}
    </ol>
  </section>
)
