import type { Sql } from "postgres";

/** Looks at every commit of every server, in the database itself, for money that was promised and was not there. */
export interface BudgetWatch {
  /** What holders have spent and promised above what they may since it was asked last; nothing, where P8 holds. */
  broken(): Promise<Broken[]>;
  /** What runs that held something cost above that, by run, in cents. */
  overshoots(): Promise<ReadonlyMap<string, number>>;
}

/** A holder above its limit after a commit, in micro-dollars. */
export interface Broken {
  readonly holder: string;
  readonly total: string;
  readonly most: string;
}

/**
 * Begins to watch. After each commit what a holder has spent this month and holds is at most its limit, or what it was
 * when that was cut below, and what runs have cost above what they held: a report that comes after the money is spent.
 */
export async function watchBudgets(sql: Sql): Promise<BudgetWatch> {
  await sql.unsafe(watchSql);
  return {
    broken: async () => [...(await sql<Broken[]>`delete from watch_broken returning holder, total::text, most::text`)],
    overshoots: async () => {
      const rows = await sql<
        { run: string; micros: string }[]
      >`select run_id as run, micros from watch_overshoots where held > 0`;
      return new Map(rows.map(({ run, micros }) => [run, Number(micros) / 10_000]));
    },
  };
}

const watchSql = `
create table watch_broken (holder uuid not null, total numeric not null, most numeric not null);
create table watch_ceilings (holder uuid primary key, micros numeric not null);
create table watch_overshoots (company_id uuid not null, agent_id uuid not null, run_id uuid primary key,
  held numeric not null, micros numeric not null);

create function watch_total(company uuid, holder uuid) returns numeric language sql as $$
  select coalesce((select spent_micros from spend where company_id = company and holder_id = holder
      and month = to_char(now() at time zone 'UTC', 'YYYY-MM')), 0)
    + coalesce((select sum(greatest(held_micros - drawn_micros, 0)) from leases
      where company_id = company and (holder = company or agent_id = holder)), 0)
$$;

create function watch_limit(company uuid, holder uuid) returns numeric language sql as $$
  select coalesce((select budget_monthly_cents from companies where id = company and id = holder),
    (select budget_monthly_cents from agents where company_id = company and id = holder)) * 10000
$$;

-- What was cut below what is spent may stay so, but not grow: that is the ceiling. Above both only what runs overshot.
create function watch_holder(company uuid, holder uuid) returns void language plpgsql as $$
declare
  total numeric := watch_total(company, holder);
  may numeric := watch_limit(company, holder);
  over numeric;
begin
  if may = 0 then return; end if;
  select coalesce(sum(micros), 0) into over from watch_overshoots
    where company_id = company and (holder = company or agent_id = holder);
  select over + coalesce(sum(greatest(drawn_micros - held_micros, 0)), 0) into over from leases
    where company_id = company and (holder = company or agent_id = holder);
  select greatest(may, coalesce((select micros from watch_ceilings c where c.holder = watch_holder.holder), 0)) + over into may;
  if total > may then insert into watch_broken values (holder, total, may); end if;
end $$;

create function watch_lease() returns trigger language plpgsql as $$
declare cost numeric;
begin
  if tg_op = 'DELETE' then
    select coalesce(sum(cost_micros), 0) into cost from cost_events
      where company_id = old.company_id and run_id = old.run_id;
    if cost > old.held_micros then
      insert into watch_overshoots values (old.company_id, old.agent_id, old.run_id, old.held_micros, cost - old.held_micros)
        on conflict (run_id) do update set micros = excluded.micros;
    end if;
  end if;
  if tg_op <> 'DELETE' then
    perform watch_holder(new.company_id, new.agent_id);
    perform watch_holder(new.company_id, new.company_id);
  end if;
  return null;
end $$;
create constraint trigger watch_leases after insert or update or delete on leases
  deferrable initially deferred for each row execute function watch_lease();

create function watch_spend() returns trigger language plpgsql as $$
begin
  perform watch_holder(new.company_id, new.holder_id);
  return null;
end $$;
create constraint trigger watch_spends after insert or update on spend
  deferrable initially deferred for each row execute function watch_spend();

create function watch_cut() returns trigger language plpgsql as $$
declare
  company uuid := coalesce(to_jsonb(new) ->> 'company_id', new.id::text)::uuid;
begin
  if new.budget_monthly_cents is distinct from old.budget_monthly_cents then
    insert into watch_ceilings values (new.id, watch_total(company, new.id))
      on conflict (holder) do update set micros = excluded.micros;
  end if;
  return null;
end $$;
create constraint trigger watch_agent_cuts after update on agents
  deferrable initially deferred for each row execute function watch_cut();
create constraint trigger watch_company_cuts after update on companies
  deferrable initially deferred for each row execute function watch_cut();
`;
