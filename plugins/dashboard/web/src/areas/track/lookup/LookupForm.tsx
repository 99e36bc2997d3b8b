import { Search } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../components/controls/Button.js'
import { TextField } from '../../../components/controls/Field.js'
import { useTypedEarly } from '../../../components/controls/typedEarly.js'
import { hrefOf } from '../../../shell/hrefOf.js'
import { trackTexts } from '../../../texts/trackTexts.js'

const words = trackTexts.lookup

/** What was pasted: an id, or a link of this page with one in it. */
const idOf = (text: string): string => {
  const trimmed = text.trim()
  const linked = /\/track\/([^/?#\s]+)/.exec(trimmed)?.[1]
  return (linked === undefined ? trimmed : decodeURIComponent(linked)).slice(0, 200)
}

export const LookupForm = ({ first = '' }: { readonly first?: string }) => {
  const [text, setText] = useState(first)
  const field = useTypedEarly(setText)
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        const id = idOf(text)
        if (id !== '') location.assign(hrefOf(encodeURIComponent(id)))
      }}
    >
      <TextField
        label={words.label}
        hint={words.hint}
        ref={field}
        value={text}
        onChange={({ target }) => setText(target.value)}
        className="input mono"
        maxLength={400}
        required
      />
      <div className="row">
        <Button type="submit" kind="primary">
          <Search aria-hidden />
          {words.submit}
        </Button>
      </div>
    </form>
  )
}
