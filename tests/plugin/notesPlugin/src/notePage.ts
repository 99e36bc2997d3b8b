import type { PageExtension } from '@causeway/core/plugin'

/** Runs in the browser, under the policy of the pages: elements are made, markup is not. */
const module = `
const element = (name, text) => Object.assign(document.createElement(name), { textContent: text })

export const mount = (host, { call }) => {
  const form = document.createElement('form')
  const label = element('label', 'Request id ')
  const input = Object.assign(document.createElement('input'), { name: 'id', required: true, className: 'input' })
  const shown = Object.assign(element('p', ''), { role: 'status' })
  label.append(input)
  form.append(label, Object.assign(element('button', 'Show the note'), { className: 'button' }))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    call('/notes/' + encodeURIComponent(input.value.trim())).then(
      ({ note, author }) => { shown.textContent = note + ' (' + author + ')' },
      (error) => { shown.textContent = error.message },
    )
  })
  host.append(element('h1', 'Notes'), form, shown)
  return () => host.replaceChildren()
}
`

/** A page of the dashboard that shows the note of a transfer. */
export const notePage: PageExtension = { id: 'notes', title: 'Notes', area: 'dashboard', place: 'page', module }
