/**
 * Real servers that tests, examples and benchmarks start themselves, and lines to them that can be cut. Each is gone when it is closed. They
 * know no lock.
 *
 * <pre>
 *   databases      PostgresServer, MariadbServer; PgBouncer in front of one
 *   S3             S3Server
 *   lines          CuttableLine (cut, or silent), HttpFront (one request at a time to a path)
 *   for servers    WebhookInbox, Certificates, Ports
 * </pre>
 */
@NullMarked
package dev.holdfast.testkit.servers;

import org.jspecify.annotations.NullMarked;
