package dev.holdfast.server.observe.audit;

/**
 * Who asked for something, from where, and in which request: what every line of the audit tells.
 *
 * @param principal who; empty if nobody was known
 * @param address where it came from: that of the client, also behind a proxy that is trusted; empty for this server itself
 * @param request the request's id; empty for none
 */
public record AuditedCaller(String principal, String address, String request) {
    /** This server itself, such as when it reads a changed file. */
    public static final AuditedCaller SERVER = new AuditedCaller("", "", "");
}
