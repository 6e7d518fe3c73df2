package dev.holdfast.examples.documents;

import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.concurrent.LeaderElection;
import dev.holdfast.concurrent.ThreadLocks;
import dev.holdfast.model.Token;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Future;
import javax.sql.DataSource;

/**
 * What the code in the documents leaves to its readers: their own classes and methods. Only compiled against, never run. A page that needs
 * another name gets it here; a name that explains something belongs into the page instead.
 */
public abstract class Surroundings {
    protected abstract static class Given {
        public abstract void book();

        public abstract void write(Object what);

        public abstract long read();
    }

    protected record Customer() {}

    protected record Report() {}

    protected record Catalogue() {}

    protected final LockClient locks;
    protected final Lease lease;
    protected final DataSource source;
    protected final DataSource dataSource;
    protected final Connection connection;
    protected final Future<?> work;
    protected final List<Customer> customers;
    protected final Given booking;
    protected final Given stock;
    protected final Given reports;
    protected final String body = "";
    protected final long id = 4711;

    protected Surroundings(
            LockClient locks, Lease lease, DataSource source, Connection connection, Future<?> work, Given given) {
        this.locks = locks;
        this.lease = lease;
        this.source = source;
        this.dataSource = source;
        this.connection = connection;
        this.work = work;
        this.customers = List.of();
        this.booking = given;
        this.stock = given;
        this.reports = given;
    }

    protected abstract LeaderElection election();

    protected abstract ThreadLocks threads();

    protected abstract void log(String text);

    protected abstract String writeReport(Token token);

    protected abstract Report makeReport(Token token);

    protected abstract String makeReport();

    protected abstract void send(Report report, Token token);

    protected abstract void send(Customer customer);

    protected abstract void cleanUp();

    protected abstract void migrate() throws SQLException;

    protected abstract void setUp();

    protected abstract void dispatchNext(Token token) throws InterruptedException;

    protected abstract void transfer(Lease both);

    protected abstract void importNext();

    protected abstract Catalogue readCatalogue();

    protected abstract void rebuildCatalogue(Token token);

    protected abstract void waitForTheEnd();

    protected abstract void takeFromStock(Connection transaction) throws SQLException;

    protected abstract void writeOrder(Connection transaction) throws SQLException;

    protected abstract void writeInvoices(Connection transaction) throws SQLException;

    /** Of a statement. */
    protected abstract void run(String sql);
}
