-- Fees of overdue invoices.
CREATE FUNCTION my_penalty(amount numeric, days integer) RETURNS numeric AS $$
  SELECT CASE WHEN days <= 14 THEN 0 ELSE round(amount * 0.0005 * (days - 14), 2) END;
$$ LANGUAGE sql IMMUTABLE;

CREATE VIEW overdue AS
  SELECT id, customer, my_penalty(amount, current_date - due) AS penalty
  FROM invoices WHERE paid IS NULL AND due < current_date;
