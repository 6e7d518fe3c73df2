CREATE TABLE public.holdfast_lock (
    id bigint NOT NULL,
    namespace text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    stamp bigint NOT NULL,
    newcomer text,
    fence bigint NOT NULL,
    format integer NOT NULL,
    busy smallint NOT NULL,
    body json NOT NULL,
    past text NOT NULL
)
WITH (fillfactor='85', autovacuum_vacuum_scale_factor='0.05', autovacuum_analyze_scale_factor='0.05');
CREATE VIEW public.holdfast_holder AS
 SELECT (((l.id * 1000) + h.place) - 1) AS id,
    l.namespace,
    l.name,
    COALESCE(( SELECT string_agg(p.path, '
'::text ORDER BY p.place) AS string_agg
           FROM json_array_elements_text((h.hold -> 'paths'::text)) WITH ORDINALITY p(path, place)), ''::text) AS path,
    (h.hold ->> 'mode'::text) AS mode,
    (h.hold ->> 'owner'::text) AS owner,
    ((h.hold ->> 'token'::text))::bigint AS token,
    ('1970-01-01 00:00:00+00'::timestamp with time zone + ((((h.hold ->> 'granted_at'::text))::bigint)::double precision * '00:00:00.000001'::interval)) AS acquired_at,
    ('1970-01-01 00:00:00+00'::timestamp with time zone + (((COALESCE((h.hold ->> 'renewed_at'::text), (h.hold ->> 'granted_at'::text)))::bigint)::double precision * '00:00:00.000001'::interval)) AS renewed_at,
    ('1970-01-01 00:00:00+00'::timestamp with time zone + ((((h.hold ->> 'expires_at'::text))::bigint)::double precision * '00:00:00.000001'::interval)) AS expires_at,
    COALESCE((h.hold ->> 'phase'::text), ''::text) AS phase,
    COALESCE((h.hold ->> 'reason'::text), ''::text) AS reason,
    (h.hold -> 'metadata'::text) AS metadata
   FROM public.holdfast_lock l,
    LATERAL json_array_elements((l.body -> 'holds'::text)) WITH ORDINALITY h(hold, place)
  WHERE (l.busy = 1);
CREATE VIEW public.database_lock AS
 WITH held AS (
         SELECT (holdfast_holder.id / 1000) AS id,
            holdfast_holder.namespace,
            holdfast_holder.name,
            holdfast_holder.owner,
            holdfast_holder.acquired_at,
            holdfast_holder.expires_at,
            ((holdfast_holder.metadata ->> 'label'::text) COLLATE "C") AS label,
            (
                CASE holdfast_holder.namespace
                    WHEN 'default'::text THEN holdfast_holder.name
                    ELSE ((holdfast_holder.namespace || ':'::text) || holdfast_holder.name)
                END COLLATE "C") AS plain
           FROM public.holdfast_holder
          WHERE ((holdfast_holder.mode = 'exclusive'::text) AND (holdfast_holder.path = ''::text))
        ), names AS (
         SELECT n.shown,
            ((min(n.id) = max(n.id)) AND (n.shown !~~ '[%'::text)) AS clear
           FROM ( SELECT held.plain AS shown,
                    held.id
                   FROM held
                UNION ALL
                 SELECT held.label,
                    held.id
                   FROM held
                  WHERE (held.label IS NOT NULL)) n
          GROUP BY n.shown
        )
 SELECT h.id,
        CASE
            WHEN l.clear THEN h.label
            WHEN p.clear THEN h.plain
            ELSE ((('['::text || h.namespace) || '] '::text) || h.name)
        END AS lock_name,
    h.owner AS process_id,
    h.acquired_at,
    h.expires_at
   FROM ((held h
     JOIN names p ON ((p.shown = h.plain)))
     LEFT JOIN names l ON ((l.shown = h.label)));
CREATE VIEW public.distributed_locks AS
 WITH held AS (
         SELECT h_1.id,
            h_1.namespace,
            h_1.name,
            h_1.path,
            h_1.mode,
            h_1.owner,
            h_1.token,
            h_1.acquired_at,
            h_1.renewed_at,
            h_1.expires_at,
            h_1.phase,
            h_1.reason,
            h_1.metadata,
            ((h_1.metadata ->> 'label'::text) COLLATE "C") AS label,
            ((((h_1.id / 1000) || ' '::text) || h_1.path) COLLATE "C") AS thing,
            (COALESCE(( SELECT string_agg(((h_1.name || '/'::text) || p_1.path), ', '::text ORDER BY p_1.place) AS string_agg
                   FROM string_to_table(h_1.path, '
'::text) WITH ORDINALITY p_1(path, place)), h_1.name) COLLATE "C") AS own,
            (COALESCE(( SELECT string_agg(((n.base || '/'::text) || p_1.path), ', '::text ORDER BY p_1.place) AS string_agg
                   FROM string_to_table(h_1.path, '
'::text) WITH ORDINALITY p_1(path, place)), n.base) COLLATE "C") AS plain
           FROM public.holdfast_holder h_1,
            LATERAL ( SELECT
                        CASE h_1.namespace
                            WHEN 'default'::text THEN h_1.name
                            ELSE ((h_1.namespace || ':'::text) || h_1.name)
                        END AS "case") n(base)
        ), names AS (
         SELECT n.shown,
            ((min(n.thing) = max(n.thing)) AND (n.shown !~~ '[%'::text)) AS clear
           FROM ( SELECT held.plain AS shown,
                    held.thing
                   FROM held
                UNION ALL
                 SELECT held.label,
                    held.thing
                   FROM held
                  WHERE (held.label IS NOT NULL)) n
          GROUP BY n.shown
        )
 SELECT h.id,
        CASE
            WHEN l.clear THEN h.label
            WHEN p.clear THEN h.plain
            ELSE (((('['::text || h.namespace) ||
            CASE h.path
                WHEN ''::text THEN ''::text
                ELSE ('#'::text || (h.id / 1000))
            END) || '] '::text) || h.own)
        END AS lock_name,
    h.owner AS pod_id,
    h.acquired_at,
    h.expires_at,
    h.renewed_at,
    ((h.phase = ''::text) AND (h.expires_at > clock_timestamp())) AS is_active,
    h.acquired_at AS created_at,
    h.renewed_at AS updated_at
   FROM ((held h
     JOIN names p ON ((p.shown = h.plain)))
     LEFT JOIN names l ON ((l.shown = h.label)));
CREATE TABLE public.holdfast_content (
    id text NOT NULL COLLATE pg_catalog."C",
    uses bigint NOT NULL,
    bytes bytea NOT NULL
);
ALTER TABLE ONLY public.holdfast_content ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE TABLE public.holdfast_document (
    name text NOT NULL COLLATE pg_catalog."C",
    leaf text NOT NULL COLLATE pg_catalog."C",
    tag text NOT NULL,
    size bigint NOT NULL,
    attributes text NOT NULL,
    content text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.holdfast_event (
    number bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    type text NOT NULL,
    namespace text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    detail json NOT NULL,
    metadata json
);
ALTER TABLE public.holdfast_event ALTER COLUMN number ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.holdfast_event_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.holdfast_fence (
    namespace text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    path text NOT NULL COLLATE pg_catalog."C",
    token bigint NOT NULL
);
CREATE VIEW public.holdfast_history AS
 SELECT holdfast_event.number,
    holdfast_event.at,
    holdfast_event.type,
    holdfast_event.namespace,
    holdfast_event.name,
    COALESCE((holdfast_event.detail ->> 'path'::text), ''::text) AS path,
    COALESCE((holdfast_event.detail ->> 'mode'::text), 'exclusive'::text) AS mode,
    (holdfast_event.detail ->> 'lease'::text) AS lease,
    (holdfast_event.detail ->> 'owner'::text) AS owner,
    ((holdfast_event.detail ->> 'token'::text))::bigint AS token,
    COALESCE(((holdfast_event.detail ->> 'lasted_us'::text))::bigint, (0)::bigint) AS lasted_us,
    COALESCE((holdfast_event.detail ->> 'actor'::text), (holdfast_event.detail ->> 'owner'::text)) AS actor,
    COALESCE((holdfast_event.detail ->> 'reason'::text), ''::text) AS reason,
    holdfast_event.metadata,
    COALESCE((holdfast_event.detail ->> 'request'::text), ''::text) AS request
   FROM public.holdfast_event;
ALTER TABLE public.holdfast_lock ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.holdfast_lock_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.holdfast_meta (
    key text NOT NULL,
    value text NOT NULL
);
INSERT INTO public.holdfast_content VALUES ('27fe9476af8d94baaf010382208ec008ec14ac33a64daf614383274f5ce28dbc', 2, '\x7b2276657273696f6e223a342c2273657269616c223a322c226c696e65616765223a226f6c642d6c696e65616765222c227265736f7572636573223a5b7b226d6f6465223a226d616e61676564222c2274797065223a2274222c226e616d65223a2261222c22696e7374616e636573223a5b5d7d5d7d');
INSERT INTO public.holdfast_content VALUES ('a7638b1a6d33dfa5b9162d06d45e17e45648cb0c8c207a059e6d45f1dede20a0', 1, '\x7b2276657273696f6e223a342c2273657269616c223a312c226c696e65616765223a226f6c642d6c696e65616765222c227265736f7572636573223a5b5d7d');
INSERT INTO public.holdfast_content VALUES ('92f64b3b37733aadf0ad4b8428459075bc97d25f0f8c4f0076cb9f263030c286', 1, '\x7b22666f726d6174223a312c2276657273696f6e223a312c22617070223a2262696c6c696e67222c2275726c223a22687474703a2f2f3132372e302e302e313a392f62696c6c696e67222c2264657369726564223a226175746f222c22646174616261736573223a5b7b2274797065223a22706f737467726573222c22686f7374223a22646231222c22706f7274223a353433327d2c7b2274797065223a22706f737467726573222c22696e7374616e63655f6964223a22692d3061316232633364227d5d7d');
INSERT INTO public.holdfast_content VALUES ('a355c16bc03719578819c8ca7c794ba448b26f8cb79b28e3924422d9c4881912', 1, '\x7b22666f726d6174223a312c2276657273696f6e223a312c2264625f6964656e746966696572223a22692d3061316232633364222c227374617465223a22756e6b6e6f776e222c2266656e63696e675f746f6b656e223a302c226163747561746f72223a226c6f67222c22696e74656e7473223a5b5d2c22646f776e73223a7b7d2c2261707073223a5b2262696c6c696e67225d2c226465636973696f6e73223a5b5d7d');
INSERT INTO public.holdfast_content VALUES ('e7fa4d1165308abe4b97ac7e9ad959080ee0c6aff6b1a691ee664fe3ab14df80', 1, '\x7b22666f726d6174223a312c2276657273696f6e223a322c22617070223a2273686f70222c2275726c223a22687474703a2f2f3132372e302e302e313a392f222c2264657369726564223a2273746f70706564222c22646174616261736573223a5b7b2274797065223a22706f737467726573222c22686f7374223a22646231222c22706f7274223a353433327d5d7d');
INSERT INTO public.holdfast_content VALUES ('d5da5365603e88e1758a6a2ca4cba5c37d4544779c204c478934038ac8be2a1e', 1, '\x7b22666f726d6174223a312c2276657273696f6e223a342c2264625f6964656e746966696572223a226462313a35343332222c227374617465223a22756e6b6e6f776e222c2266656e63696e675f746f6b656e223a302c226163747561746f72223a226c6f67222c22696e74656e7473223a5b7b227265717565737465645f6279223a2273686f70222c2273696e6365223a22323032362d31312d31375432323a31343a30302e3234383930303634315a227d5d2c22646f776e73223a7b2273686f70223a7b2272756e223a2234333336306233332d316661352d346637632d386661392d363032303464336130323033222c2273696e6365223a22323032362d31312d31375432323a31343a30302e3432303434373738305a222c22636f756e74223a312c226174223a22323032362d31312d31375432323a31343a30302e3432303434373738305a227d7d2c2261707073223a5b2262696c6c696e67222c2273686f70225d2c226465636973696f6e73223a5b7b226465636973696f6e223a22736b69707065645f756e6b6e6f776e222c22726561736f6e223a226e6f626f64792063616e207361792077686574686572206974206973206e65656465642062792062696c6c696e672028636f6e6e656374696f6e207265667573656429222c22617070223a2273686f70222c226174223a22323032362d31312d31375432323a31343a30302e3432323134333934365a222c2266656e63696e675f746f6b656e223a313739343935333634303333363439362c227265636f726465645f6f6e6c79223a22796573222c2265766964656e6365223a5b7b22617070223a2262696c6c696e67222c22737461747573223a22554e4b4e4f574e222c22636865636b65645f6174223a22323032362d31312d31375432323a31343a30302e3431373537383930315a227d2c7b22617070223a2273686f70222c22737461747573223a22444f574e222c22636865636b65645f6174223a22323032362d31312d31375432323a31343a30302e3432303133373433305a227d5d7d5d7d');
INSERT INTO public.holdfast_document VALUES ('stacks/shop/prod/history/20261117T221358.885287Z-f3tbaekh.json', '20261117T221358.885287Z-f3tbaekh.json', '9d975aecc2c0bdb9be491462aa7f1762', 63, 'by=ann@host
lineage=old-lineage
lock-id=6e1d3a52-9f0b-4c1e-8d57-2f6f0c9b7a11
operation=OperationTypeApply
saved-at=2026-11-17T22:13:58.885287Z
saved-lease=15b18ec0ed3ba61a335cbe44028d31f8
saved-token=1794953638710831
serial=1
sha256=a7638b1a6d33dfa5b9162d06d45e17e45648cb0c8c207a059e6d45f1dede20a0
version=20261117T221358.885287Z-f3tbaekh
write-id=cb418ae2c49d94d2527ab4f70248e03c
', 'a7638b1a6d33dfa5b9162d06d45e17e45648cb0c8c207a059e6d45f1dede20a0');
INSERT INTO public.holdfast_document VALUES ('stacks/shop/prod/history/20261117T221358.963159Z-jrqs4s47.json', '20261117T221358.963159Z-jrqs4s47.json', '9a1fe695684478a8ef8a20c9891b376d', 118, 'by=ann@host
lineage=old-lineage
lock-id=6e1d3a52-9f0b-4c1e-8d57-2f6f0c9b7a11
operation=OperationTypeApply
saved-at=2026-11-17T22:13:58.963159Z
saved-lease=15b18ec0ed3ba61a335cbe44028d31f8
saved-token=1794953638710831
serial=2
sha256=27fe9476af8d94baaf010382208ec008ec14ac33a64daf614383274f5ce28dbc
version=20261117T221358.963159Z-jrqs4s47
write-id=cdd23577e266b0bcd3e4e43b03883095
', '27fe9476af8d94baaf010382208ec008ec14ac33a64daf614383274f5ce28dbc');
INSERT INTO public.holdfast_document VALUES ('stacks/shop/prod/state.json', 'state.json', 'f53960cdc7883171c09b07fc9ea332dc', 118, 'by=ann@host
lease=1e6fe5314a2dddf85723fa311bc9c53a
lineage=old-lineage
lock-id=6e1d3a52-9f0b-4c1e-8d57-2f6f0c9b7a11
operation=OperationTypeApply
saved-at=2026-11-17T22:13:58.963159Z
saved-lease=15b18ec0ed3ba61a335cbe44028d31f8
saved-token=1794953638710831
serial=2
sha256=27fe9476af8d94baaf010382208ec008ec14ac33a64daf614383274f5ce28dbc
token=1794953639095704
top-serial=2
version=20261117T221358.963159Z-jrqs4s47
write-id=cdd23577e266b0bcd3e4e43b03883095
', '27fe9476af8d94baaf010382208ec008ec14ac33a64daf614383274f5ce28dbc');
INSERT INTO public.holdfast_document VALUES ('guard/apps/billing.json', 'billing.json', '2a3e04006d919a78c1b422b62f3ebc00', 198, '', '92f64b3b37733aadf0ad4b8428459075bc97d25f0f8c4f0076cb9f263030c286');
INSERT INTO public.holdfast_document VALUES ('guard/resources/i-0a1b2c3d.json', 'i-0a1b2c3d.json', '8ebbc244fd9af5706df6a4924c5926ff', 164, 'active=idle
', 'a355c16bc03719578819c8ca7c794ba448b26f8cb79b28e3924422d9c4881912');
INSERT INTO public.holdfast_document VALUES ('guard/apps/shop.json', 'shop.json', '631ed4aa8514c060b1d08b0f72148985', 144, '', 'e7fa4d1165308abe4b97ac7e9ad959080ee0c6aff6b1a691ee664fe3ab14df80');
INSERT INTO public.holdfast_document VALUES ('guard/resources/db1:5432.json', 'db1:5432.json', 'da7e9a92b10e61adc1929c42731bdecd', 763, 'active=yes
', 'd5da5365603e88e1758a6a2ca4cba5c37d4544779c204c478934038ac8be2a1e');
INSERT INTO public.holdfast_event VALUES (1, '2026-11-17 22:13:55.150382+00', 'acquired', 'billing', 'invoice-run', '{"lease":"40db6ce004798b00","owner":"anonymous","token":"1794953635150382","request":"4lkpue45-3"}', NULL);
INSERT INTO public.holdfast_event VALUES (2, '2026-11-17 22:13:55.659639+00', 'acquired', 'billing', 'nightly', '{"lease":"40db6ce004798b00","owner":"anonymous","token":"1794953635659639","request":"4lkpue45-7"}', NULL);
INSERT INTO public.holdfast_event VALUES (3, '2026-11-17 22:13:55.72064+00', 'released', 'billing', 'nightly', '{"lease":"40db6ce004798b00","owner":"anonymous","token":"1794953635659639","lasted_us":"61001","request":"4lkpue45-8"}', NULL);
INSERT INTO public.holdfast_event VALUES (4, '2026-11-17 22:13:55.887341+00', 'acquired', 'old', 'held', '{"lease":"1124a0adcfaf2e88","owner":"worker-7","token":"1794953635887341","actor":"anonymous","reason":"invoices of March","request":"4lkpue45-b"}', '{"ticket":"42"}');
INSERT INTO public.holdfast_event VALUES (5, '2026-11-17 22:13:56.315409+00', 'acquired', 'old', 'shared', '{"lease":"90a8e155382e8c6e","owner":"reader-1","token":"1794953636315409","mode":"shared","actor":"anonymous","request":"4lkpue45-e"}', NULL);
INSERT INTO public.holdfast_event VALUES (6, '2026-11-17 22:13:56.373797+00', 'acquired', 'old', 'shared', '{"lease":"0e01806876b8e1ed","owner":"reader-2","token":"1794953636373797","mode":"shared","actor":"anonymous","request":"4lkpue45-f"}', NULL);
INSERT INTO public.holdfast_event VALUES (7, '2026-11-17 22:13:56.424133+00', 'acquired', 'old', 'quota', '{"lease":"a2d3fd8b6593be3c","owner":"job-1","token":"1794953636424133","mode":"permit(2)","actor":"anonymous","request":"4lkpue45-g"}', NULL);
INSERT INTO public.holdfast_event VALUES (8, '2026-11-17 22:13:56.474809+00', 'acquired', 'old', 'quota', '{"lease":"b8176db0a215ad78","owner":"job-2","token":"1794953636474809","mode":"permit(2)","actor":"anonymous","request":"4lkpue45-h"}', NULL);
INSERT INTO public.holdfast_event VALUES (9, '2026-11-17 22:13:56.60178+00', 'acquired', 'old', 'tree', '{"lease":"42fa3f5d4a124ec1","owner":"sync-1","token":"1794953636601780","path":"eu/orders","actor":"anonymous","request":"4lkpue45-j"}', NULL);
INSERT INTO public.holdfast_event VALUES (10, '2026-11-17 22:13:56.642182+00', 'acquired', 'old', 'tree', '{"lease":"8907a150c63e7213","owner":"sync-2","token":"1794953636642182","path":"asia/orders\nus","actor":"anonymous","request":"4lkpue45-k"}', NULL);
INSERT INTO public.holdfast_event VALUES (11, '2026-11-17 22:13:56.92103+00', 'acquired', 'old', 'ended', '{"lease":"4f4af6023408a23c","owner":"worker-1","token":"1794953636921030","actor":"anonymous","request":"4lkpue45-n"}', NULL);
INSERT INTO public.holdfast_event VALUES (12, '2026-11-17 22:13:57.052963+00', 'released', 'old', 'ended', '{"lease":"4f4af6023408a23c","owner":"worker-1","token":"1794953636921030","lasted_us":"131933","actor":"anonymous","request":"4lkpue45-o"}', NULL);
INSERT INTO public.holdfast_event VALUES (13, '2026-11-17 22:13:57.24848+00', 'acquired', 'old', 'ended', '{"lease":"9c80ddd61773b703","owner":"worker-2","token":"1794953637248480","actor":"anonymous","request":"4lkpue45-r"}', NULL);
INSERT INTO public.holdfast_event VALUES (14, '2026-11-17 22:13:57.301186+00', 'forced', 'old', 'ended', '{"lease":"9c80ddd61773b703","owner":"worker-2","token":"1794953637248480","lasted_us":"52706","actor":"anonymous","reason":"worker-2 was deleted","request":"4lkpue45-s"}', NULL);
INSERT INTO public.holdfast_event VALUES (15, '2026-11-17 22:13:57.481441+00', 'acquired', 'old', 'ended', '{"lease":"bf01e9f4141db825","owner":"worker-3","token":"1794953637481441","actor":"anonymous","request":"4lkpue45-t"}', NULL);
INSERT INTO public.holdfast_event VALUES (16, '2026-11-17 22:13:57.641422+00', 'released', 'old', 'ended', '{"lease":"bf01e9f4141db825","owner":"worker-3","token":"1794953637481441","lasted_us":"159981","actor":"anonymous","request":"4lkpue45-v"}', NULL);
INSERT INTO public.holdfast_event VALUES (17, '2026-11-17 22:13:57.68878+00', 'acquired', 'old', 'once', '{"lease":"51f5c901bc70e2ef","owner":"worker-1","token":"1794953637688780","actor":"anonymous","request":"4lkpue45-w"}', NULL);
INSERT INTO public.holdfast_event VALUES (18, '2026-11-17 22:13:57.729108+00', 'released', 'old', 'once', '{"lease":"51f5c901bc70e2ef","owner":"worker-1","token":"1794953637688780","lasted_us":"40328","actor":"anonymous","request":"4lkpue45-x"}', NULL);
INSERT INTO public.holdfast_event VALUES (19, '2026-11-17 22:13:58.710831+00', 'acquired', 'deploy', 'stack:shop:env:prod', '{"lease":"02b80b00e8893e51","owner":"ann@host","token":"1794953638710831","actor":"anonymous","reason":"OperationTypeApply","request":"4lkpue45-16"}', '{"ID":"6e1d3a52-9f0b-4c1e-8d57-2f6f0c9b7a11","Info":"","LockInfo":"{\"ID\":\"6e1d3a52-9f0b-4c1e-8d57-2f6f0c9b7a11\",\"Who\":\"ann@host\",\"Operation\":\"OperationTypeApply\",\"Info\":\"\",\"Version\":\"1.9.0\",\"Path\":\"\"}","Operation":"OperationTypeApply","Path":"","Version":"1.9.0","Who":"ann@host"}');
INSERT INTO public.holdfast_event VALUES (20, '2026-11-17 22:13:58.917644+00', 'state_saved', 'deploy', 'stack:shop:env:prod', '{"lease":"02b80b00e8893e51","owner":"ann@host","token":"1794953638710831"}', '{"lock_id":"6e1d3a52-9f0b-4c1e-8d57-2f6f0c9b7a11","operation":"OperationTypeApply","serial":"1","size":"63","version":"20261117T221358.885287Z-f3tbaekh"}');
INSERT INTO public.holdfast_event VALUES (21, '2026-11-17 22:13:58.993976+00', 'state_saved', 'deploy', 'stack:shop:env:prod', '{"lease":"02b80b00e8893e51","owner":"ann@host","token":"1794953638710831"}', '{"lock_id":"6e1d3a52-9f0b-4c1e-8d57-2f6f0c9b7a11","operation":"OperationTypeApply","serial":"2","size":"118","version":"20261117T221358.963159Z-jrqs4s47"}');
INSERT INTO public.holdfast_event VALUES (22, '2026-11-17 22:13:59.061081+00', 'released', 'deploy', 'stack:shop:env:prod', '{"lease":"02b80b00e8893e51","owner":"ann@host","token":"1794953638710831","lasted_us":"350250","actor":"anonymous","reason":"OperationTypeApply","request":"4lkpue45-19"}', '{"ID":"6e1d3a52-9f0b-4c1e-8d57-2f6f0c9b7a11","Info":"","LockInfo":"{\"ID\":\"6e1d3a52-9f0b-4c1e-8d57-2f6f0c9b7a11\",\"Who\":\"ann@host\",\"Operation\":\"OperationTypeApply\",\"Info\":\"\",\"Version\":\"1.9.0\",\"Path\":\"\"}","Operation":"OperationTypeApply","Path":"","Version":"1.9.0","Who":"ann@host"}');
INSERT INTO public.holdfast_event VALUES (23, '2026-11-17 22:13:59.095704+00', 'acquired', 'deploy', 'stack:shop:env:prod', '{"lease":"9b27ab8c9a026243","owner":"bob@host","token":"1794953639095704","actor":"anonymous","reason":"OperationTypePlan","request":"4lkpue45-1a"}', '{"ID":"0a6f7d1e-52c3-4f80-9a3e-7f4d0c1b2a33","Info":"","LockInfo":"{\"ID\":\"0a6f7d1e-52c3-4f80-9a3e-7f4d0c1b2a33\",\"Who\":\"bob@host\",\"Operation\":\"OperationTypePlan\",\"Info\":\"\",\"Version\":\"1.9.0\",\"Path\":\"\"}","Operation":"OperationTypePlan","Path":"","Version":"1.9.0","Who":"bob@host"}');
INSERT INTO public.holdfast_event VALUES (24, '2026-11-17 22:13:59.171374+00', 'state_refused', 'deploy', 'stack:shop:env:prod', '{"lease":"02b80b00e8893e51","owner":"anonymous","token":"0","reason":"State of stack ''shop'' in ''prod'' is not locked by this lease (released); held by ''bob@host'' since 2026-11-17T22:13:59.095704Z. Nothing was saved; take the lock anew, and load before saving"}', '{"lock_id":"6e1d3a52-9f0b-4c1e-8d57-2f6f0c9b7a11","lost":"released","reason":"not-held","size":"63"}');
INSERT INTO public.holdfast_event VALUES (25, '2026-11-17 22:13:59.867551+00', 'guard_registered', 'guard', 'APP#shop', '{"lease":"0000000000000000","owner":"anonymous","token":"0","request":"4lkpue45-1f"}', '{"app":"shop","databases":"postgres db1:5432","url":"127.0.0.1"}');
INSERT INTO public.holdfast_event VALUES (26, '2026-11-17 22:14:00.00179+00', 'guard_registered', 'guard', 'APP#billing', '{"lease":"0000000000000000","owner":"anonymous","token":"0","request":"4lkpue45-1g"}', '{"app":"billing","databases":"postgres db1:5432,postgres i-0a1b2c3d","url":"127.0.0.1"}');
INSERT INTO public.holdfast_event VALUES (27, '2026-11-17 22:14:00.250275+00', 'guard_stop', 'guard', 'APP#shop', '{"lease":"0000000000000000","owner":"anonymous","token":"0","request":"4lkpue45-1i"}', '{"app":"shop"}');
INSERT INTO public.holdfast_event VALUES (28, '2026-11-17 22:14:00.336496+00', 'acquired', 'guard', 'LOCK#DB#db1:5432', '{"lease":"40a8b91a73c6af75","owner":"1424d4d7-a619-4d48-b18d-4a0c449a1f49","token":"1794953640336496","reason":"stop for shop"}', '{"created_at":"2026-11-17T22:14:00.330213153Z","db_identifier":"db1:5432","lock_type":"database","owner_id":"1424d4d7-a619-4d48-b18d-4a0c449a1f49","ttl":"1794953700"}');
INSERT INTO public.holdfast_event VALUES (29, '2026-11-17 22:14:00.432862+00', 'guard_decision', 'guard', 'LOCK#DB#db1:5432', '{"lease":"40a8b91a73c6af75","owner":"1424d4d7-a619-4d48-b18d-4a0c449a1f49","token":"1794953640336496","reason":"nobody can say whether it is needed by billing (connection refused)"}', '{"app":"shop","db_identifier":"db1:5432","decision":"skipped_unknown","evidence":"billing=UNKNOWN shop=DOWN","recorded_only":"true"}');
INSERT INTO public.holdfast_event VALUES (30, '2026-11-17 22:14:00.460541+00', 'released', 'guard', 'LOCK#DB#db1:5432', '{"lease":"40a8b91a73c6af75","owner":"1424d4d7-a619-4d48-b18d-4a0c449a1f49","token":"1794953640336496","lasted_us":"124045","reason":"stop for shop"}', '{"created_at":"2026-11-17T22:14:00.330213153Z","db_identifier":"db1:5432","lock_type":"database","owner_id":"1424d4d7-a619-4d48-b18d-4a0c449a1f49","ttl":"1794953700"}');
INSERT INTO public.holdfast_event VALUES (31, '2026-11-17 22:14:00.718401+00', 'queued', 'old', 'held', '{"lease":"864141e7e537d305","owner":"worker-9","token":"0","actor":"anonymous","request":"4lkpue45-1l"}', NULL);
INSERT INTO public.holdfast_lock VALUES (1, 'billing', 'invoice-run', 4622206343770118231, '', 1794953635150382, 1, 1, '{"format":1,"holds":[{"lease_id":"v1.pod-1.Lxg6TmRJOvPzd_dF7aUCNj","owner":"anonymous","mode":"exclusive","token":1794953635150382,"granted_at":1794953635150382,"renewed_at":1794953635319190,"expires_at":1795040036000000,"lease":86400000000}]}', '');
INSERT INTO public.holdfast_lock VALUES (2, 'billing', 'nightly', -5964460891125375157, '', 1794953635659639, 1, 0, '{"format":1}', '{"ended":"EDbbOAEeYsArho9abedmm8"}');
INSERT INTO public.holdfast_lock VALUES (4, 'old', 'shared', 957578425211117246, 'JCo4VU4Loxu', 1794953636373797, 1, 1, '{"format":1,"holds":[{"lease_id":"old-shared-01","owner":"reader-1","mode":"shared","token":1794953636315409,"granted_at":1794953636315409,"expires_at":1794957236315409,"lease":3600000000,"renew_every":30000000},{"lease_id":"old-shared-02","owner":"reader-2","mode":"shared","token":1794953636373797,"granted_at":1794953636373797,"expires_at":1794957236373797,"lease":3600000000,"renew_every":30000000}]}', '');
INSERT INTO public.holdfast_lock VALUES (5, 'old', 'quota', -6799058734086533598, 'KLT_Ytlk748', 1794953636474809, 1, 1, '{"format":1,"holds":[{"lease_id":"old-permit-01","owner":"job-1","mode":"permit","limit":2,"token":1794953636424133,"granted_at":1794953636424133,"expires_at":1794957236424133,"lease":3600000000,"renew_every":30000000},{"lease_id":"old-permit-02","owner":"job-2","mode":"permit","limit":2,"token":1794953636474809,"granted_at":1794953636474809,"expires_at":1794957236474809,"lease":3600000000,"renew_every":30000000}]}', '');
INSERT INTO public.holdfast_lock VALUES (6, 'old', 'tree', -3486176226767256332, 'EL6P11KEk7B', 1794953636642182, 1, 1, '{"format":1,"holds":[{"lease_id":"old-path-0001","owner":"sync-1","mode":"exclusive","paths":["eu/orders"],"token":1794953636601780,"granted_at":1794953636601780,"expires_at":1794957236601780,"lease":3600000000,"renew_every":30000000},{"lease_id":"old-paths-001","owner":"sync-2","mode":"exclusive","paths":["asia/orders","us"],"token":1794953636642182,"granted_at":1794953636642182,"expires_at":1794957236642182,"lease":3600000000,"renew_every":30000000}]}', '');
INSERT INTO public.holdfast_lock VALUES (7, 'old', 'ended', -7452150557891163482, 'E9K9gI0CKI8', 1794953637481441, 1, 0, '{"format":1}', '{"ended":"L8B6fQUHbglrho9abfispa;JyA3dYXc7cDf7aj0;E9K9gI0CKI8rcm23"}');
INSERT INTO public.holdfast_lock VALUES (8, 'old', 'once', -8285929875861749325, 'FH1yQG8cOLv', 1794953637688780, 1, 0, '{"format":1}', '{"ended":"FH1yQG8cOLvrho9abfkod0","done":{"generation":"v42","by":"worker-1","token":1794953637688780,"at":1794953637729108}}');
INSERT INTO public.holdfast_lock VALUES (3, 'old', 'held', -6168558925416022521, 'BEkoK3Pry6I', 1794953635887341, 1, 1, '{"format":1,"holds":[{"lease_id":"old-held-0001","owner":"worker-7","mode":"exclusive","token":1794953635887341,"granted_at":1794953635887341,"renewed_at":1794953636774560,"expires_at":1794957236774560,"lease":3600000000,"renew_every":30000000,"reason":"invoices of March","metadata":{"ticket":"42"}}],"queue":[{"lease_id":"old-held-0009","owner":"worker-9","mode":"exclusive","engine":"1fdc461a7a49b43457f9d678","claim_within":15000000,"since":1794953640718401}],"alive":{"1fdc461a7a49b43457f9d678":1794953655718401}}', '');
INSERT INTO public.holdfast_lock VALUES (9, 'deploy', 'stack:shop:env:prod', -7540855735535637817, 'AK4CwDoiT5R', 1794953639095704, 1, 1, '{"format":1,"holds":[{"lease_id":"0a6f7d1e-52c3-4f80-9a3e-7f4d0c1b2a33","owner":"bob@host","mode":"exclusive","token":1794953639095704,"granted_at":1794953639095704,"expires_at":253402300799000000,"lease":252288000000000000,"renew_every":1800000000,"reason":"OperationTypePlan","metadata":{"ID":"0a6f7d1e-52c3-4f80-9a3e-7f4d0c1b2a33","Info":"","LockInfo":"{\"ID\":\"0a6f7d1e-52c3-4f80-9a3e-7f4d0c1b2a33\",\"Who\":\"bob@host\",\"Operation\":\"OperationTypePlan\",\"Info\":\"\",\"Version\":\"1.9.0\",\"Path\":\"\"}","Operation":"OperationTypePlan","Path":"","Version":"1.9.0","Who":"bob@host"}}]}', '{"ended":"AK4CwDoiT5Rrho9abgd849"}');
INSERT INTO public.holdfast_lock VALUES (11, 'guard', 'APP#billing', -2179662230800905366, NULL, 1794953640001790, 1, 0, '{"format":1}', '');
INSERT INTO public.holdfast_lock VALUES (10, 'guard', 'APP#shop', 1418255293603637598, NULL, 1794953639867551, 1, 0, '{"format":1}', '');
INSERT INTO public.holdfast_lock VALUES (12, 'guard', 'LOCK#DB#db1:5432', -2512340125034407245, 'ECouRpzxq91', 1794953640336496, 1, 0, '{"format":1}', '{"ended":"ECouRpzxq91rho9abh77y5"}');
INSERT INTO public.holdfast_meta VALUES ('schema', '1');
INSERT INTO public.holdfast_meta VALUES ('views', '3');
SELECT pg_catalog.setval('public.holdfast_event_number_seq', 31, true);
SELECT pg_catalog.setval('public.holdfast_lock_id_seq', 12, true);
ALTER TABLE ONLY public.holdfast_content
    ADD CONSTRAINT holdfast_content_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.holdfast_document
    ADD CONSTRAINT holdfast_document_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.holdfast_event
    ADD CONSTRAINT holdfast_event_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.holdfast_fence
    ADD CONSTRAINT holdfast_fence_pkey PRIMARY KEY (namespace, name, path);
ALTER TABLE ONLY public.holdfast_lock
    ADD CONSTRAINT holdfast_lock_pkey PRIMARY KEY (namespace, name);
ALTER TABLE ONLY public.holdfast_meta
    ADD CONSTRAINT holdfast_meta_pkey PRIMARY KEY (key);
CREATE INDEX holdfast_document_leaf ON public.holdfast_document USING btree (leaf, name);
