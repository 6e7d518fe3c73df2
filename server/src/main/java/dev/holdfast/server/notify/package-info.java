/**
 * Tells webhooks what happens to locks, at least once each, from the log of events.
 *
 * <pre>
 *   Notifier          one replica at a time is the sender: it holds the lock holdfast:notify for a {@code SenderTerm}
 *     │
 *     ├─ WaitSurvey      looks through the locks in use now and then: finds long waits, and has stale and ended holds judged,
 *     │                  which then are events of the log
 *     └─ WebhookSender   one thread for each webhook, so that none waits for another
 *           EventLogReader     the log after a number; shared by all
 *           PositionDocument   how far this webhook was told; a sender that was replaced cannot write it
 *           Notice             an event ({@code EventNotice}) or a wait ({@code LongWait}), as JSON or as text
 *           Receiver           one signed POST; the pace of NotifyOptions says when the next one is
 * </pre>
 *
 * A position is stored after what it stands for was taken or given up, so a crash in between repeats a delivery and loses none; a
 * delivery has the same id each time. Knows the engine, documents and metrics, and no HTTP of the server.
 */
@NullMarked
package dev.holdfast.server.notify;

import org.jspecify.annotations.NullMarked;
