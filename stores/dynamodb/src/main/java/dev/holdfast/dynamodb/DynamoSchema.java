package dev.holdfast.dynamodb;

import dev.holdfast.spi.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * The tables of a store in DynamoDB, for tools: to see how they are made, to make them, to take them away. A store makes
 * none by itself when it is opened: a table costs money, and a typing error in its name should not.
 */
public final class DynamoSchema {
    /** Making a table takes DynamoDB some seconds. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Place place;
    private final DynamoConfig config;

    private DynamoSchema(Place place, DynamoConfig config) {
        this.place = place;
        this.config = config;
    }

    /** Whether the URL is one of DynamoDB. */
    public static boolean accepts(String url) {
        return url.equalsIgnoreCase("dynamodb") || new DynamoStoreFactory().accepts(url);
    }

    /**
     * The schema for a store's URL. The scheme alone, {@code dynamodb:}, shows it for table {@code locks} in {@code us-east-1}.
     *
     * @throws IllegalArgumentException if the URL is malformed
     */
    public static DynamoSchema of(String url) {
        String lower = url.toLowerCase(Locale.ROOT);
        if (lower.equals("dynamodb") || lower.equals(DynamoUrl.SCHEME)) {
            return new DynamoSchema(new Place("us-east-1", "locks", Optional.empty()), DynamoConfig.DEFAULT);
        }
        DynamoUrl parsed = DynamoUrl.of(url);
        return new DynamoSchema(parsed.place(), parsed.config());
    }

    /** The commands of the AWS command line, and the Terraform, that make the tables. */
    public String createCommands() {
        return filled("create.txt");
    }

    /** The commands that take them away. */
    public String dropCommands() {
        return filled("drop.txt");
    }

    /**
     * Makes the tables that are missing, with their time to live, and waits until they can be used. What is there and has the
     * right keys stays as it is.
     *
     * @throws StoreException if a table of another tool is there, or they cannot be made
     */
    public void migrate() {
        try (DynamoDbAsyncClient client = DynamoClients.of(place, config.withCallTimeout(Duration.ofSeconds(20)))) {
            new Tables(new Calls(client, place, config, DateClock.Telling.DATE), PATIENCE).make(config.history());
        }
    }

    /**
     * Takes the tables away: locks, history, and the memory of the last tokens. A table with other keys stays.
     *
     * @throws StoreException if a table of another tool is there, or they cannot be removed
     */
    public void drop() {
        try (DynamoDbAsyncClient client = DynamoClients.of(place, config.withCallTimeout(Duration.ofSeconds(20)))) {
            new Tables(new Calls(client, place, config, DateClock.Telling.DATE), PATIENCE).drop();
        }
    }

    private String filled(String resource) {
        try (InputStream in = DynamoSchema.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is missing in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("@URL@", place.url())
                    .replace("@REGION@", place.region())
                    .replace("@TABLE@", place.table())
                    .replace(
                            "@ENDPOINT@",
                            place.endpoint().map(uri -> " --endpoint-url " + uri).orElse(""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
