package dev.holdfast.dynamodb;

import dev.holdfast.aws.ServerTime;
import dev.holdfast.dynamodb.requests.TableAddress;
import dev.holdfast.dynamodb.requests.TableRequests;
import dev.holdfast.spi.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * The tables of a store in DynamoDB, for tools: to see how they are made, to make them, to take them away. A store makes
 * none by itself when it is opened: a table costs money, and a typing error in its name should not.
 */
public final class DynamoSchema {
    /** Making a table takes DynamoDB some seconds. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** Tables are made by slower servers than items. */
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(20);

    private final DynamoUrl url;
    private final TableAddress place;

    /** Whether the table was named: what is only an example is neither made nor removed. */
    private final boolean named;

    private DynamoSchema(DynamoUrl url, boolean named) {
        this.url = url;
        this.place = url.place();
        this.named = named;
    }

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
            return new DynamoSchema(DynamoUrl.of("dynamodb://us-east-1/locks"), false);
        }
        return new DynamoSchema(DynamoUrl.of(url), true);
    }

    /**
     * The same with the index for listings, as {@code ?index=on} in the URL says it: it costs a second write unit for every
     * write, so nobody gets it unasked.
     *
     * @throws IllegalArgumentException if the URL says that there should be none
     */
    public DynamoSchema withIndex() {
        ListingIndex index = url.config().index();
        if (index.use() == ListingIndex.Use.NEVER) {
            throw new IllegalArgumentException("index=off in the URL says that there is to be no index; leave it out");
        }
        DynamoConfig indexed = url.config().withIndex(ListingIndex.required(index.name()));
        return new DynamoSchema(new DynamoUrl(place, indexed, url.credentials()), named);
    }

    /** The index to make, if one was asked for. */
    private Optional<String> index() {
        ListingIndex index = url.config().index();
        return index.use() == ListingIndex.Use.REQUIRED ? Optional.of(index.name()) : Optional.empty();
    }

    /** The commands of the AWS command line, and the Terraform, that make the tables; the index is a comment unless wanted. */
    public String createCommands() {
        return filled("create.txt");
    }

    public String dropCommands() {
        return filled("drop.txt");
    }

    /**
     * Makes the tables that are missing, with their time to live, and the index if it is wanted, and waits until they can be used. What is there and has the
     * right keys stays as it is.
     *
     * @throws IllegalArgumentException if the URL names no table
     * @throws StoreException if a table of another tool is there, or they cannot be made
     */
    public void migrate() {
        withTables(tables -> tables.make(url.config().history(), index()));
    }

    /**
     * Takes the tables away: locks, history, the memory of the last tokens, and documents. A table with other keys stays.
     *
     * @throws IllegalArgumentException if the URL names no table
     * @throws StoreException if a table of another tool is there, or they cannot be removed
     */
    public void drop() {
        withTables(TableMaker::drop);
    }

    private void withTables(Consumer<TableMaker> work) {
        if (!named) {
            throw new IllegalArgumentException("name region and table, as in " + DynamoUrl.EXAMPLE);
        }
        DynamoConfig patient = url.config().withCallTimeout(CALL_TIMEOUT);
        try (DynamoDbAsyncClient client = new DynamoUrl(place, patient, url.credentials()).client()) {
            work.accept(new TableMaker(
                    new TableRequests(client, place, patient.time(), patient.skew(), ServerTime.DATE), PATIENCE));
        }
    }

    private String filled(String resource) {
        try (InputStream in = DynamoSchema.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is missing in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("@IF_INDEX@", index().isPresent() ? "" : "# ")
                    .replace("@INDEX@", url.config().index().name())
                    .replace("@URL@", place.url())
                    .replace("@REGION@", place.region())
                    .replace("@TABLE@", place.table())
                    .replace(
                            "@ENDPOINT@",
                            place.endpoint()
                                    .map(uri -> " --endpoint-url " + uri)
                                    .orElse(""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
