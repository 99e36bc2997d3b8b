import { ExtensionHost, extensionsOf } from './ExtensionPage.js'

/** What other plugins show on the first page of an area. */
export const ExtensionPanels = () => (
  <>
    {extensionsOf('panel').map((extension) => (
      <section key={extension.id} className="card" aria-label={extension.title}>
        <h2>{extension.title}</h2>
        <ExtensionHost extension={extension} />
      </section>
    ))}
  </>
)
