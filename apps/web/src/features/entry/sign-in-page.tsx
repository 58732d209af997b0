import { isRefused } from "@roster/client";
import { type FormEvent, type ReactNode, useState } from "react";
import { useCommand } from "../../api/queries.ts";
import { Button } from "../../design/button.tsx";
import { TextField } from "../../design/field.tsx";
import { Refusal, wrongAt } from "../../design/refusal.tsx";
import { EntryFrame } from "./entry-frame.tsx";

/** The way in for who has an account. The page that was wanted is shown as soon as somebody is signed in. */
export function SignInPage(): ReactNode {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const signIn = useCommand("auth.signIn");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    signIn.mutate({ body: { email, password } });
  };
  return (
    <EntryFrame title="Sign in to Roster">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label="E-mail address"
          type="email"
          autoComplete="username"
          required
          value={email}
          wrong={wrongAt(signIn.error, "email")}
          onChange={({ target }) => setEmail(target.value)}
        />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
        {isRefused(signIn.error, "unauthenticated") ? (
          <p role="alert" className="text-bad text-sm">
            {signIn.error.message}
          </p>
        ) : (
          <Refusal error={signIn.error} />
        )}
        <Button type="submit" look="primary" busy={signIn.isPending}>
          Sign in
        </Button>
      </form>
    </EntryFrame>
  );
}
