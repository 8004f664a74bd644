-- What holds for every table of records, and every function that sees the rows of all organizations.
DO $$
DECLARE
  name text;
BEGIN
  -- An update without changes does not change `updated_at`.
  FOREACH name IN ARRAY '{
    events, event_occurrences, races, waves, tickets, booking_form_fields, booking_forms, add_ons, add_on_variants, partners,
    reserved_entry_groups, discount_codes, credits, bookings, line_items, teams, start_list_entries, add_on_allocations,
    referral_programs, referrers, referrals, import_jobs
  }'::text[] LOOP
    EXECUTE format('CREATE TRIGGER keep_times_on_insert BEFORE INSERT ON %I FOR EACH ROW EXECUTE FUNCTION keep_times()', name);
    EXECUTE format('CREATE TRIGGER keep_times_on_update BEFORE UPDATE ON %I FOR EACH ROW
      WHEN (OLD.* *<> NEW.*) EXECUTE FUNCTION keep_times()', name);
  END LOOP;

  -- What responses with an ETag show.
  FOREACH name IN ARRAY '{
    events, event_occurrences, races, waves, tickets, booking_form_fields, booking_forms, booking_form_entries, ticket_booking_forms,
    add_ons, add_on_variants, partners, partner_external_ids, reserved_entry_groups, reserved_entry_group_tickets, discount_codes,
    bookings, line_items, teams, start_list_entries, add_on_allocations, referral_programs, referrers, referrer_owner_bookings,
    referrals, change_events
  }'::text[] LOOP
    EXECUTE format('CREATE TRIGGER version_inserted AFTER INSERT ON %I
      REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION record_write()', name);
    EXECUTE format('CREATE TRIGGER version_updated AFTER UPDATE ON %I
      REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION record_write()', name);
    EXECUTE format('CREATE TRIGGER version_deleted AFTER DELETE ON %I
      REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION record_write()', name);
  END LOOP;

  FOREACH name IN ARRAY '{events, races, waves, tickets}'::text[] LOOP
    EXECUTE format('CREATE TRIGGER touch_on_insert AFTER INSERT ON %I
      REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION touch_occurrences()', name);
    EXECUTE format('CREATE TRIGGER touch_on_update AFTER UPDATE ON %I
      REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION touch_occurrences()', name);
    EXECUTE format('CREATE TRIGGER touch_on_delete AFTER DELETE ON %I
      REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION touch_occurrences()', name);
  END LOOP;

  -- Their search path is fixed, so that a caller cannot substitute another table. The policy for a single role recognizes them by it.
  FOR name IN SELECT oid::regprocedure FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND prosecdef LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = pg_catalog, %I, pg_temp', name, current_schema());
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', name);
  END LOOP;
END $$;
