-- What became of the orders by the evening of today(): paid, packed, sent, delivered, cancelled, sent back; and what
-- follows from them: gift cards, support tickets. The stock of the stores stands at the end.
--
-- dice(topic, id) is a number from 0 up to 1, by chance, but always the same for a topic and an id.

-- A few orders are cancelled: they keep no lines, and have no amount.

UPDATE orders SET status = 'cancelled'
WHERE channel = 'web' AND order_date < today() AND dice('cancelled', id) < 0.03;

DELETE FROM order_items WHERE order_id IN (SELECT id FROM orders WHERE status = 'cancelled');

UPDATE orders SET total_amount = (SELECT round(sum(line_total), 2) FROM order_items WHERE order_id = orders.id)
WHERE status <> 'cancelled';

-- Parcels. What has not left yet is pending on its first day, and processed later.

CREATE TEMP TABLE carriers (name, share, days, price);
INSERT INTO carriers VALUES ('DHL', 0.45, 0, 5.9), ('DPD', 0.75, 1, 5.2), ('PostNord', 0.9, 2, 4.9), ('Velo Courier', 1, -1, 8.5);

CREATE TEMP TABLE distances (region, days);
INSERT INTO distances VALUES ('Central Europe', 2), ('Western Europe', 3), ('Southern Europe', 4), ('Northern Europe', 3), ('North America', 7), ('Asia and Middle East', 9);

CREATE TEMP TABLE parcels AS
SELECT
    o.id AS order_id,
    (SELECT name FROM carriers WHERE dice('carrier', o.id) < share ORDER BY share LIMIT 1) AS carrier,
    d.days AS distance,
    date(o.order_date, CASE
        WHEN dice('packing', o.id) < 0.18 THEN '0 days'
        WHEN dice('packing', o.id) < 0.60 THEN '1 day'
        WHEN dice('packing', o.id) < 0.84 THEN '2 days'
        WHEN dice('packing', o.id) < 0.96 THEN '3 days'
        ELSE '6 days'
    END) AS packed
FROM orders AS o
JOIN customers AS c ON c.id = o.customer_id
JOIN countries AS k ON k.id = c.country_id
JOIN distances AS d ON d.region = k.region
WHERE o.channel = 'web' AND o.status <> 'cancelled';

INSERT INTO shipments
SELECT
    row_number() OVER (ORDER BY packed, order_id),
    order_id,
    carrier,
    CASE WHEN dice('tracked', order_id) < 0.93 THEN
        upper(substr(carrier, 1, 2)) || CAST(1000000000 + 8999999999 * dice('tracking number', order_id) AS INTEGER)
    END,
    packed,
    CASE WHEN arrives <= today() AND dice('lost', order_id) > 0.004 THEN arrives END,
    round(price + 1.1 * distance + 9 * dice('postage', order_id), 2)
FROM (
    SELECT
        p.*,
        c.price,
        date(p.packed, max(1, p.distance + c.days + max(0, CAST(5 * dice('late', p.order_id) AS INTEGER) - 2)) || ' days')
            AS arrives
    FROM parcels AS p JOIN carriers AS c ON c.name = p.carrier
)
WHERE packed <= today();

CREATE TEMP TABLE received (order_id INTEGER PRIMARY KEY, day, shipment);
INSERT INTO received
SELECT o.id, CASE o.channel WHEN 'store' THEN o.order_date ELSE s.delivered_date END, s.id
FROM orders AS o LEFT JOIN shipments AS s ON s.order_id = o.id
WHERE o.status <> 'cancelled';

UPDATE orders SET status = (
    SELECT CASE
        WHEN day IS NOT NULL THEN 'completed'
        WHEN shipment IS NOT NULL THEN 'shipped'
        WHEN order_date = today() THEN 'pending'
        ELSE 'processing'
    END
    FROM received WHERE order_id = orders.id
)
WHERE status <> 'cancelled';

-- Payments: some cards are refused at first; invoices take weeks, and a few are forgotten.

CREATE TEMP TABLE bills AS
SELECT
    o.id AS order_id,
    o.order_date,
    o.total_amount,
    CASE
        WHEN o.channel = 'store' AND dice('method', o.id) < 0.05 THEN 'gift card'
        WHEN o.channel = 'store' AND dice('method', o.id) < 0.30 THEN 'cash'
        WHEN o.channel = 'store' THEN 'card'
        WHEN c.segment <> 'consumer' AND dice('method', o.id) < 0.70 THEN 'invoice'
        WHEN c.segment <> 'consumer' OR dice('method', o.id) < 0.50 THEN 'card'
        WHEN dice('method', o.id) < 0.85 THEN 'paypal'
        ELSE 'bank transfer'
    END AS method
FROM orders AS o JOIN customers AS c ON c.id = o.customer_id
WHERE o.status <> 'cancelled';

CREATE TEMP TABLE bookings AS
SELECT order_id, method, total_amount, 'failed' AS status, order_date AS day, 0.2 * dice('refused at', order_id) AS hour
FROM bills WHERE method IN ('card', 'paypal') AND dice('refused', order_id) < 0.03
UNION ALL
SELECT
    order_id,
    method,
    total_amount,
    'paid',
    date(order_date, CASE method
        WHEN 'invoice' THEN 8 + CAST(38 * dice('paid after', order_id) AS INTEGER)
        WHEN 'bank transfer' THEN 1 + CAST(3 * dice('paid after', order_id) AS INTEGER)
        ELSE 0
    END || ' days'),
    0.2 + 0.8 * dice('paid at', order_id)
FROM bills;

UPDATE bookings SET status = 'open', day = NULL
WHERE day > today() OR method = 'invoice' AND dice('forgotten', order_id) < 0.02;

INSERT INTO payments
SELECT row_number() OVER (ORDER BY order_id, status = 'paid'), order_id, method, total_amount, status, moment(day, hour)
FROM bookings;

-- Returns: boots and jackets come back most, and what was bought at a counter seldom.

INSERT INTO returns
SELECT
    row_number() OVER (ORDER BY day, order_item_id),
    order_item_id,
    day,
    count,
    CASE CAST(7 * dice('reason', order_item_id) AS INTEGER)
        WHEN 0 THEN 'wrong size'
        WHEN 1 THEN 'does not fit'
        WHEN 2 THEN 'defective'
        WHEN 3 THEN 'not as described'
        WHEN 4 THEN 'changed my mind'
        WHEN 5 THEN 'arrived too late'
    END,
    round(line_total / quantity * count, 2)
FROM (
    SELECT
        i.id AS order_item_id,
        i.quantity,
        i.line_total,
        1 + CAST(i.quantity * dice('sent back', i.id) AS INTEGER) AS count,
        date(r.day, (2 + CAST(24 * dice('sent back after', i.id) AS INTEGER)) || ' days') AS day
    FROM order_items AS i
    JOIN received AS r ON r.order_id = i.order_id
    JOIN orders AS o ON o.id = i.order_id
    JOIN products AS p ON p.id = i.product_id
    JOIN categories AS c ON c.id = p.category_id
    WHERE dice('returned', i.id) < CASE o.channel WHEN 'web' THEN 1.3 ELSE 0.5 END * CASE c.name
        WHEN 'Hiking Boots' THEN 0.15
        WHEN 'Jackets' THEN 0.13
        WHEN 'Base Layers' THEN 0.09
        WHEN 'Gloves' THEN 0.08
        WHEN 'Helmets' THEN 0.07
        ELSE 0.045
    END
)
WHERE day <= today();

UPDATE orders SET status = 'returned' WHERE id IN (
    SELECT i.order_id FROM order_items AS i LEFT JOIN returns AS r ON r.order_item_id = i.id
    GROUP BY i.order_id HAVING sum(i.quantity) = sum(coalesce(r.quantity, 0))
);

-- Gift cards, sold at counters; those for employees' jubilees never run out.

INSERT INTO "gift cards"
SELECT
    row_number() OVER (ORDER BY id),
    printf('TT-%06X-%d', CAST(16777216 * dice('code', id) AS INTEGER), id),
    id,
    value,
    CASE WHEN dice('unused', id) < 0.4 THEN value ELSE round(value * max(0, dice('left', id) - 0.4), 2) END,
    order_date,
    CASE WHEN dice('ends', id) < 0.9 THEN (strftime('%Y', order_date) + 3) || '-12-31' END
FROM (
    SELECT id, order_date, CASE CAST(5 * dice('value', id) AS INTEGER)
        WHEN 0 THEN 25.0 WHEN 1 THEN 100.0 WHEN 2 THEN 200.0 ELSE 50.0
    END AS value
    FROM orders WHERE channel = 'store' AND dice('gift card', id) < 0.017
);

-- Support tickets: about one in eight orders leads to one; the last days' are open, and so are a few forgotten ones.

CREATE TEMP TABLE subjects (number, subject, message);
INSERT INTO subjects VALUES
    (0, 'Where is my parcel?', 'It should have been here last week, and the carrier''s page doesn''t know the number.'),
    (1, 'Wrong size delivered', 'I ordered a 42 and got a 44. The box says 42, the boot says 44.'),
    (2, 'Question about assembly', 'Page 7 of the manual shows a washer that isn''t in the bag. Is it needed?'),
    (3, 'Refund not received', 'You wrote “within five days”. It''s been eleven.'),
    (4, 'Broken on arrival', 'The left pedal won''t go in; the thread is damaged. Photos attached.'),
    (5, 'Change of address', 'We''ve moved to the other side of the river, could you send it there?'),
    (6, 'Invoice for my company', 'Our accounts department needs the VAT number on it, please.'),
    (7, 'Spare part wanted', 'Do you still sell the small spring that goes under the lever?');

CREATE TEMP TABLE agents AS
SELECT row_number() OVER (ORDER BY id) - 1 AS number, id FROM employees WHERE job_title = 'Support Agent';

CREATE TEMP TABLE tickets AS
SELECT
    id AS order_id,
    customer_id,
    date(order_date, CAST(30 * dice('asks after', id) AS INTEGER) || ' days') AS opened,
    CASE WHEN dice('priority', id) < 0.30 THEN 'low' WHEN dice('priority', id) < 0.78 THEN 'normal'
        WHEN dice('priority', id) < 0.95 THEN 'high' ELSE 'urgent' END AS priority
FROM orders WHERE dice('ticket', id) < 0.12;

CREATE TEMP TABLE closings AS
SELECT order_id, closed FROM (
    SELECT order_id, opened, date(opened, CAST(dice('hours', order_id) * CASE priority
        WHEN 'low' THEN 5 WHEN 'normal' THEN 3.5 WHEN 'high' THEN 2.2 ELSE 1.4
    END AS INTEGER) || ' days') AS closed
    FROM tickets
)
WHERE closed <= today() AND dice('overlooked', order_id) > 0.012
    AND (opened < date(today(), '-1 day') OR dice('new', order_id) > 0.6);

INSERT INTO support_tickets
SELECT
    row_number() OVER (ORDER BY t.opened, t.order_id),
    t.customer_id,
    CASE WHEN dice('names order', t.order_id) < 0.8 THEN t.order_id END,
    CASE WHEN closed IS NOT NULL OR t.opened < date(today(), '-1 day') THEN a.id END,
    s.subject,
    t.priority,
    CASE WHEN closed IS NOT NULL THEN 'closed' WHEN dice('waits', t.order_id) < 0.7 THEN 'open' ELSE 'waiting' END,
    moment(t.opened, 0.6 * dice('opened at', t.order_id)),
    moment(closed, 0.6 + 0.4 * dice('closed at', t.order_id)),
    CASE WHEN closed IS NOT NULL AND dice('rated', t.order_id) < 0.75 THEN 1 + CAST(5 * dice('score', t.order_id) AS INTEGER) END,
    s.message
FROM tickets AS t
JOIN subjects AS s ON s.number = CAST(8 * dice('subject', t.order_id) AS INTEGER)
JOIN agents AS a ON a.number = CAST((SELECT count(*) FROM agents) * dice('agent', t.order_id) AS INTEGER)
LEFT JOIN closings AS c ON c.order_id = t.order_id
WHERE t.opened <= today();

-- The most patient customer.
UPDATE support_tickets SET message = replace(printf('%400s', ''), ' ', message || char(10)) WHERE id = 100;

-- Stock: about one in twelve products of a store is below its reorder level.

INSERT INTO inventory
SELECT
    row_number() OVER (ORDER BY store_id, product_id),
    store_id,
    product_id,
    CAST(CASE WHEN dice('low', shelf) < 0.08 THEN level * dice('count', shelf)
        ELSE level + (3 * level + 1) * dice('count', shelf) END AS INTEGER),
    level,
    CASE WHEN dice('counted', shelf) < 0.97 THEN
        date(today(), (-1 - CAST(120 * dice('counted before', shelf) AS INTEGER)) || ' days') END
FROM (
    SELECT
        s.id AS store_id,
        p.id AS product_id,
        1000 * s.id + p.id AS shelf,
        CAST(CASE WHEN p.price > 400 THEN 2 + 4 * dice('level', 1000 * s.id + p.id)
            ELSE 4 + 11 * dice('level', 1000 * s.id + p.id) END AS INTEGER) AS level
    FROM stores AS s CROSS JOIN products AS p
    WHERE p.active AND dice('carried', 1000 * s.id + p.id) < 0.86
);
