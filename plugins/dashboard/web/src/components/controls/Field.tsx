import { type ComponentProps, type ReactNode, useId } from 'react'

interface FieldParts {
  readonly label: string
  readonly hint?: ReactNode
  /** What is wrong with the value; null or left out: nothing. */
  readonly problem?: string | null
}

const useParts = ({ hint, problem }: FieldParts) => {
  const id = useId()
  const described = [hint === undefined ? [] : `${id}-hint`, problem ? `${id}-problem` : []].flat().join(' ')
  return {
    id,
    control: { id, 'aria-invalid': Boolean(problem), 'aria-describedby': described === '' ? undefined : described },
  }
}

const Around = ({
  id,
  label,
  hint,
  problem,
  children,
}: FieldParts & { readonly id: string; readonly children: ReactNode }) => (
  <div className="field">
    <label htmlFor={id}>{label}</label>
    {children}
    {hint !== undefined && (
      <div id={`${id}-hint`} className="field-hint">
        {hint}
      </div>
    )}
    {problem ? (
      <div id={`${id}-problem`} className="field-problem" role="alert">
        {problem}
      </div>
    ) : null}
  </div>
)

/** A line of text with its label, hint and problem. */
export const TextField = ({ label, hint, problem, ...rest }: FieldParts & ComponentProps<'input'>) => {
  const { id, control } = useParts({ label, hint, problem: problem ?? null })
  return (
    <Around {...{ id, label, hint, problem: problem ?? null }}>
      <input className="input" autoComplete="off" spellCheck={false} {...rest} {...control} />
    </Around>
  )
}

/** Several lines of text. */
export const TextArea = ({ label, hint, problem, ...rest }: FieldParts & ComponentProps<'textarea'>) => {
  const { id, control } = useParts({ label, hint, problem: problem ?? null })
  return (
    <Around {...{ id, label, hint, problem: problem ?? null }}>
      <textarea className="input" spellCheck={false} {...rest} {...control} />
    </Around>
  )
}

export interface Choice {
  readonly value: string
  readonly text: string
}

/** One of a few; the browser's own control, since every device has the best one for it. */
export const SelectField = ({
  label,
  hint,
  problem,
  choices,
  ...rest
}: FieldParts & ComponentProps<'select'> & { readonly choices: readonly Choice[] }) => {
  const { id, control } = useParts({ label, hint, problem: problem ?? null })
  return (
    <Around {...{ id, label, hint, problem: problem ?? null }}>
      <select className="input" {...rest} {...control}>
        {choices.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Around>
  )
}

export const CheckField = ({ label, ...rest }: { readonly label: string } & ComponentProps<'input'>) => (
  <label className="check">
    <input type="checkbox" {...rest} />
    <span>{label}</span>
  </label>
)
