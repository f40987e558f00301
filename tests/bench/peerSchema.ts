/**
 * The peer's database: the same data and the same writes per transfer as the product's ledger.
 *
 * Designed to be fast under SERIALIZABLE: a request is claimed by its insert instead of a look-up, postings
 * have no foreign key to journals (its check would lock the newest index page for everyone), and account
 * pages have free space, so that an update changes no index.
 */

/** Balance of everybody's Checking account at the start. */
export const OPENING_CENTS = 100_000_000;

export const PEER_SCHEMA = `
create table users (
  id bigserial primary key, email text not null unique, name text not null,
  status text not null, transfer_count int not null default 0, is_protected boolean not null
);
create table accounts (
  id bigserial primary key, user_id bigint not null references users, type text not null,
  balance_cents bigint not null check (balance_cents >= 0),
  available_cents bigint not null check (available_cents >= 0),
  unique (user_id, type)
) with (fillfactor = 50);
create table requests (
  user_id bigint not null, request_key text not null, transfer_id bigint not null,
  primary key (user_id, request_key)
);
create table transfers (
  id bigserial primary key, user_id bigint not null, recipient_id bigint not null,
  amount_cents bigint not null, reference text not null, created_at timestamptz not null default now()
);
create index on transfers (user_id, created_at);
create table transactions (
  id bigserial primary key, user_id bigint not null, account_id bigint not null, type text not null,
  amount_cents bigint not null, description text not null, category text not null,
  status text not null, reference text not null, date timestamptz not null default now()
);
create index on transactions (user_id, date);
create index on transactions (account_id, date);
create table journals (id bigserial primary key, kind text not null, at timestamptz not null default now());
create table postings (
  id bigserial primary key, journal_id bigint not null,
  account_id bigint not null, amount_cents bigint not null
);
create index on postings (journal_id);
create index on postings (account_id);
create table audit (
  id bigserial primary key, actor_id bigint not null, action text not null, at timestamptz not null default now()
);

create function transfer(sender bigint, recipient_email text, amount bigint, ref text, key text,
                         locks boolean) returns bigint language plpgsql as $$
declare
  s users; r users; a accounts; b accounts; t bigint; j bigint;
begin
  t := nextval('transfers_id_seq');
  insert into requests values (sender, key, t) on conflict do nothing;
  if not found then
    select transfer_id into t from requests where user_id = sender and request_key = key;
    return t;
  end if;
  select * into s from users where id = sender;
  if s.status <> 'approved' then raise exception 'NOT_APPROVED'; end if;
  select * into r from users where email = recipient_email;
  if not found then raise exception 'RECIPIENT_NOT_FOUND'; end if;
  if not s.is_protected and s.transfer_count >= 2 then raise exception 'TRANSFER_BLOCKED'; end if;
  if locks then
    perform 1 from accounts where type = 'Checking' and user_id in (sender, r.id) order by id for update;
  end if;
  select * into a from accounts where user_id = sender and type = 'Checking';
  select * into b from accounts where user_id = r.id and type = 'Checking';
  if a.available_cents < amount then raise exception 'INSUFFICIENT_FUNDS'; end if;
  update accounts set balance_cents = balance_cents - amount, available_cents = available_cents - amount where id = a.id;
  update accounts set balance_cents = balance_cents + amount, available_cents = available_cents + amount where id = b.id;
  insert into transfers (id, user_id, recipient_id, amount_cents, reference) values (t, sender, r.id, amount, ref);
  insert into journals (kind) values ('transfer') returning id into j;
  insert into postings (journal_id, account_id, amount_cents) values (j, a.id, -amount), (j, b.id, amount);
  insert into transactions (user_id, account_id, type, amount_cents, description, category, status, reference)
    values (sender, a.id, 'debit', amount, 'Transfer to ' || r.name, 'Transfer', 'Completed', ref),
           (r.id, b.id, 'credit', amount, 'Transfer from ' || s.name, 'Transfer', 'Completed', ref);
  insert into audit (actor_id, action) values (sender, 'transfer');
  perform pg_notify('changed', sender::text);
  perform pg_notify('changed', r.id::text);
  return t;
end $$;
`;
