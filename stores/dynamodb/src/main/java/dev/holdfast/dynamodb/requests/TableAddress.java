package dev.holdfast.dynamodb.requests;

import java.net.URI;
import java.util.Optional;

/**
 * Where the locks are, as messages name it.
 *
 * @param region the AWS region; empty if a client was given that knows it
 * @param table the table of locks
 * @param endpoint another address than the region's
 */
public record TableAddress(String region, String table, Optional<URI> endpoint) {
    private static final String EVENTS = "-events";
    private static final String DOCUMENTS = "-documents";

    public String eventTable() {
        return table + EVENTS;
    }

    public String documentTable() {
        return table + DOCUMENTS;
    }

    public String url() {
        return "dynamodb://" + (region.isEmpty() ? "REGION" : region) + "/" + table
                + endpoint.map(uri -> "?endpoint=" + uri).orElse("");
    }

    /** What makes the tables. */
    public String migrate() {
        return "holdfast schema migrate --store '" + url() + "'";
    }

    /** What makes the tables, and this index for listings. */
    public String migrate(String index) {
        return "holdfast schema migrate --store '" + url() + (endpoint.isPresent() ? "&" : "?") + "index=" + index
                + "'";
    }

    /** Region and endpoint. */
    public String where() {
        return (region.isEmpty() ? "the given client's region" : "region '" + region + "'")
                + endpoint.map(uri -> " at " + uri).orElse("");
    }

    @Override
    public String toString() {
        return "DynamoDB table '" + table + "'" + (region.isEmpty() ? " of the given client" : " in " + where());
    }
}
