import { useState } from 'react'
import { useLocation } from 'wouter'
import { ActForm } from '../../components/act-form.tsx'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { IMPORT_TEXTS } from '../../texts/import.ts'
import { collectionNameProblem } from '../collection-name-problem.ts'
import { importPath } from './import-link.tsx'

const texts = IMPORT_TEXTS.newCollection

/** Goes to where a file becomes the documents of a collection that has this name. */
export function NewCollection({ slug }: { readonly slug: string }) {
  const [, navigate] = useLocation()
  const [name, setName] = useState('')
  const problem = collectionNameProblem(name)
  const submit = () => {
    if (name !== '' && problem === undefined) navigate(importPath({ slug, collection: name }))
  }
  return (
    <ActForm title={texts.title} onSubmit={submit}>
      <Field
        name="collection"
        label={texts.name}
        hint={texts.hint}
        problem={name === '' ? undefined : problem}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        required
      />
      <Button type="submit">{texts.button}</Button>
    </ActForm>
  )
}
