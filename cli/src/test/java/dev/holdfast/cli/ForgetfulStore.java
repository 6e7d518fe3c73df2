package dev.holdfast.cli;

import dev.holdfast.Stores;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreFactory;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.spi.time.StoreClock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A store that keeps no history, as that in S3, but in memory. */
public final class ForgetfulStore implements RecordStore {
    public static final String URL = "forgetful:";

    private final RecordStore memory = Stores.open("memory:");

    /** Found as every store is. */
    public static final class Factory implements StoreFactory {
        /** For the service loader. */
        public Factory() {}

        @Override
        public boolean accepts(String url) {
            return url.equals(URL);
        }

        @Override
        public String example() {
            return URL;
        }

        @Override
        public RecordStore open(String url) {
            return new ForgetfulStore();
        }
    }

    @Override
    public CompletionStage<Optional<Versioned>> read(RecordKey key) {
        return memory.read(key);
    }

    @Override
    public CompletionStage<List<WriteResult>> write(List<Write> writes) {
        return memory.write(writes);
    }

    @Override
    public CompletionStage<Page> scan(ScanRequest request) {
        return memory.scan(request);
    }

    @Override
    public StoreClock clock() {
        return memory.clock();
    }

    @Override
    public StoreTraits traits() {
        return memory.traits();
    }

    @Override
    public void close() {
        memory.close();
    }
}
