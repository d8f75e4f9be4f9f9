"use client";

import { useQuery } from "@tanstack/react-query";
import { type InputEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Checkbox, TextField } from "@/components/ui/form/field";
import { useAlertSite } from "./alert-queries";
import { alertKeys } from "./query-keys";

interface RecipientFieldsProps {
  /** The ids of the users that the rule already mails. */
  chosen: readonly string[];
}

/** The recipients of a rule: the current user, those already chosen, and others added by login. */
export function RecipientFields({ chosen }: RecipientFieldsProps) {
  const { view } = usePortal();
  const { added, set, field } = useAdded();
  if (!view.isMailOn) return <MailIsOff chosen={chosen} />;
  const others = chosen.filter((id) => id !== view.user.id);
  const listed = [view.user.id, ...others, ...added.map(({ id }) => id)];
  const mayFind = view.permissions.includes("user.read");
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 text-body text-muted">
        {t(
          "Mail to. People who may read these calls get a mail when it fires and when it resolves, at most one in each quarter of an hour.",
        )}
      </legend>
      <Recipient
        id={view.user.id}
        label={t("{name} (you)", { name: view.user.name })}
        isTicked={chosen.includes(view.user.id)}
      />
      {others.map((id) => (mayFind ? <Named key={id} id={id} /> : <Recipient key={id} id={id} />))}
      {added.map(({ id, name, isTicked }) => (
        <Checkbox
          key={id}
          name="mailTo"
          value={id}
          label={name}
          checked={isTicked}
          onChange={({ target: { checked } }) =>
            set(added.map((one) => (one.id === id ? { ...one, isTicked: checked } : one)))
          }
        />
      ))}
      {mayFind ? <AddPerson listed={listed} onAdd={(person) => set([...added, person])} /> : null}
      <input hidden name="added" defaultValue="[]" {...field} />
    </fieldset>
  );
}

/** Keeps the current recipients while the installation sends no mail. */
function MailIsOff({ chosen }: RecipientFieldsProps) {
  return (
    <>
      {chosen.map((id) => (
        <input key={id} type="hidden" name="mailTo" value={id} />
      ))}
      <p className="text-body text-muted">
        {t("This installation sends no mail: nobody is mailed when the alert fires. Webhooks are.")}
      </p>
    </>
  );
}

interface Person {
  id: string;
  name: string;
  isTicked: boolean;
}

/** The further people. They are stored in a form field, so that the draft saves and restores them. */
function useAdded() {
  const [added, setAdded] = useState<Person[]>([]);
  const ref = useRef<HTMLInputElement>(null);
  const set = (people: Person[]) => {
    if (!ref.current) return;
    ref.current.value = JSON.stringify(people);
    ref.current.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const onInput = ({ currentTarget }: InputEvent<HTMLInputElement>) =>
    setAdded(JSON.parse(currentTarget.value) as Person[]);
  return { added, set, field: { ref, onInput } };
}

interface RecipientProps {
  id: string;
  label?: string;
  isTicked?: boolean;
}

function Recipient({ id, label = id, isTicked = true }: RecipientProps) {
  return <Checkbox name="mailTo" value={id} defaultChecked={isTicked} label={label} />;
}

/** A user by name; by id while the name is not loaded. */
function Named({ id }: { id: string }) {
  const { view, call } = usePortal();
  const site = useAlertSite();
  const { data } = useQuery({
    queryKey: alertKeys.recipient(view.tenant, id),
    queryFn: ({ signal }) => call("GET /v1/user/{id}", { site, params: { id }, signal }),
  });
  return <Recipient id={id} label={data ? `${data.name} (${data.login})` : id} />;
}

interface AddPersonProps {
  listed: readonly string[];
  onAdd: (person: Person) => void;
}

function AddPerson({ listed, onAdd }: AddPersonProps) {
  const { view, call } = usePortal();
  const site = useAlertSite();
  const [login, setLogin] = useState("");
  const q = login.trim();
  const { data = [] } = useQuery({
    queryKey: alertKeys.recipients(view.tenant, q),
    queryFn: ({ signal }) =>
      call("GET /v1/user/list", { site, query: { q, sort: "match", limit: "6" }, signal }),
    enabled: q.length > 1,
  });
  const others = data.filter(({ id }) => !listed.includes(id));
  const found = others.find((user) => user.login.toLowerCase() === q.toLowerCase());
  const add = () => {
    if (!found) return;
    // Empties the field first: the draft is saved from the current field values.
    flushSync(() => setLogin(""));
    onAdd({ id: found.id, name: `${found.name} (${found.login})`, isTicked: true });
  };
  return (
    <div className="flex items-end gap-2">
      <div className="min-w-0 flex-1 sm:max-w-72">
        <TextField
          label={t("Further person, by login")}
          list="alert-recipients"
          isCode
          name="further"
          value={login}
          onChange={(event) => setLogin(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            add();
          }}
        />
      </div>
      <datalist id="alert-recipients">
        {others.map((user) => (
          <option key={user.id} value={user.login}>
            {user.name}
          </option>
        ))}
      </datalist>
      <Button disabled={!found} onClick={add}>
        {t("Add")}
      </Button>
    </div>
  );
}
