import { type FormEvent, type ReactNode, useState } from "react";
import { useCommand } from "../../api/queries.ts";
import { Button } from "../../design/button.tsx";
import { TextField } from "../../design/field.tsx";
import { Refusal, wrongAt } from "../../design/refusal.tsx";
import { EntryFrame } from "./entry-frame.tsx";

/** The token is used up, or not wanted any more: nothing of it stays in the address. */
const leave = (): void => window.location.replace("/");

/** The way in for who comes with a token: the first operator, or who was invited. */
export function EnterPage({
  kind,
  token,
}: {
  readonly kind: "claim" | "invitation";
  readonly token: string;
}): ReactNode {
  const [form, setForm] = useState({ name: "", email: "", password: "" });
  const claim = useCommand("auth.claim", leave);
  const accept = useCommand("invitations.accept", leave);
  const isClaim = kind === "claim";
  const { error, isPending } = isClaim ? claim : accept;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const { name, email, password } = form;
    if (isClaim) claim.mutate({ body: { token, name, email, password } });
    else accept.mutate({ body: { token, name, password } });
  };
  const field = (name: keyof typeof form) => ({
    value: form[name],
    wrong: wrongAt(error, name),
    onChange: ({ target }: { target: { value: string } }) => setForm({ ...form, [name]: target.value }),
  });
  return (
    <EntryFrame title={isClaim ? "Become the first operator" : "Join a company"}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField label="Your name" autoComplete="name" required={isClaim} {...field("name")} />
        {isClaim && (
          <TextField label="E-mail address" type="email" autoComplete="username" required {...field("email")} />
        )}
        <TextField
          label="Password"
          type="password"
          autoComplete={isClaim ? "new-password" : "current-password"}
          hint={
            isClaim ? "At least 12 characters" : "A new one of at least 12 characters, or that of the account you have"
          }
          required
          {...field("password")}
        />
        <Refusal error={error} saidAt={["name", "email", "password"]} />
        <Button type="submit" look="primary" busy={isPending}>
          {isClaim ? "Open my account" : "Join"}
        </Button>
        <Button look="quiet" onClick={leave}>
          I have an account already
        </Button>
      </form>
    </EntryFrame>
  );
}
