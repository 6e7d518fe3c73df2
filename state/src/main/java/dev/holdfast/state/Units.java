package dev.holdfast.state;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.holdfast.state.json.Json;
import dev.holdfast.state.json.JsonText;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The units by which states are compared, found in one pass: of each only its place and its hash are kept, and only one at a time is
 * read whole.
 */
final class Units {
    /** A larger unit is compared as a whole. */
    private static final int MAX_READ = 8 << 20;

    private static final JsonFactory JSON = JsonText.factory();

    private final byte[] bytes;
    private final JsonParser parser;
    private final boolean deployer;
    private final Map<String, Unit> units = new LinkedHashMap<>();

    private Units(byte[] bytes, JsonParser parser, boolean deployer) {
        this.bytes = bytes;
        this.parser = parser;
        this.deployer = deployer;
    }

    /**
     * One unit.
     *
     * @param bytes of the document; not a copy
     * @param place of the unit, or of the resource it is an instance of
     * @param instance which instance; negative: it is none
     * @param hash of its value
     */
    @SuppressWarnings("ArrayRecordComponent") // shared on purpose
    record Unit(byte[] bytes, DocumentScan.Place place, int instance, String hash) {
        /** The value; empty if it is too large to be read. */
        Optional<Json> value() {
            return Units.read(bytes, place)
                    .map(it -> instance < 0 ? it : instances(it).get(instance));
        }
    }

    static Map<String, Unit> of(byte[] bytes) {
        boolean deployer = DocumentScan.of(bytes).format().equals(Optional.of(DeployerChecksums.FORMAT));
        try (JsonParser parser = JSON.createParser(bytes)) {
            Units found = new Units(bytes, parser, deployer);
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                found.document();
            } else {
                found.add("/", 0);
            }
            return found.units;
        } catch (IOException e) {
            throw JsonText.refused("State", e);
        }
    }

    private void document() throws IOException {
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (name.equals("resources") && value == JsonToken.START_ARRAY) {
                resources();
            } else if (name.equals("outputs") && value == JsonToken.START_OBJECT) {
                members("output.");
            } else if (deployer && name.equals("resources") && value == JsonToken.START_OBJECT) {
                members("");
            } else {
                add("/" + name.replace("~", "~0").replace("/", "~1"), start());
            }
        }
    }

    private void members(String prefix) throws IOException {
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            add(prefix + name, start());
        }
    }

    private void resources() throws IOException {
        for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
            DocumentScan.Place place = skip(start());
            Optional<Json> resource = read(bytes, place);
            java.util.List<Json> instances = resource.map(Units::instances).orElse(java.util.List.of());
            String address = resource.map(Addresses::of).orElse("/resources/" + i);
            if (instances.isEmpty()) {
                put(address, new Unit(bytes, place, -1, hash(resource, place)));
            }
            for (int k = 0; k < instances.size(); k++) {
                Json instance = instances.get(k);
                String hash = Sha256.hex(instance.canonical());
                put(address + Addresses.index(instance), new Unit(bytes, place, k, hash));
            }
        }
    }

    /** The instances of a terraform resource; none if it is something else. */
    private static java.util.List<Json> instances(Json resource) {
        return resource instanceof Json.Obj object
                        && object.get("instances").orElse(Json.nil()) instanceof Json.Arr found
                ? found.items()
                : java.util.List.of();
    }

    private void add(String address, int start) throws IOException {
        DocumentScan.Place place = skip(start);
        put(address, new Unit(bytes, place, -1, hash(read(bytes, place), place)));
    }

    /** Two of one name, as deposed instances are, are told apart by their order. */
    private void put(String address, Unit unit) {
        String free = address;
        for (int i = 2; units.containsKey(free); i++) {
            free = address + " (" + i + ")";
        }
        units.put(free, unit);
    }

    private String hash(Optional<Json> value, DocumentScan.Place place) {
        return value.map(it -> Sha256.hex(it.canonical()))
                .orElseGet(() -> Sha256.hex(bytes, place.start(), place.end() - place.start()));
    }

    private static Optional<Json> read(byte[] bytes, DocumentScan.Place place) {
        int length = place.end() - place.start();
        return length > MAX_READ ? Optional.empty() : Optional.of(JsonText.read("State", bytes, place.start(), length));
    }

    private int start() {
        return Math.toIntExact(parser.currentTokenLocation().getByteOffset());
    }

    private DocumentScan.Place skip(int start) throws IOException {
        JsonToken value = parser.currentToken();
        if (value.isScalarValue() && value != JsonToken.VALUE_STRING) {
            return new DocumentScan.Place(start, start + parser.getTextLength());
        }
        parser.skipChildren();
        parser.finishToken();
        return new DocumentScan.Place(
                start, Math.toIntExact(parser.currentLocation().getByteOffset()));
    }
}
