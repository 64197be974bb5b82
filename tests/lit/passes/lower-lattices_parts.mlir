// RUN: tamale-opt %s -p lower-lattices | filecheck %s
// RUN: tamale-opt %s -p 'lower-lattices,lower-levels,simplify' -t cpp | filecheck %s --check-prefix=CPP

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>

// Each worker appends to a part, whose rows count from the first that it comes to. The first part
// becomes the result; the entries of the others go behind it, an equal share of them copied by each
// worker; edges of first rows, which two may have, come last.
// CHECK-LABEL: @rows(
// CHECK:       %Z = cfir.parts 4 : tensor
// CHECK:       "scf.parallel"(
// CHECK:         %first_parent, %{{.*}} = cfir.locate %Z 0(%{{.*}}, %i_first)
// CHECK:         %parent_count = arith.subi %{{.*}}, %first_parent
// CHECK:         %[[PART:Z.*]] = cfir.open_part %Z parents(%parent_count) room(%A2_count)
// CHECK:         cfir.append_coord %[[PART]] 1(
// CHECK:         %[[ROW:.*]] = arith.subi %pZ1, %first_parent
// CHECK:         cfir.append_edges %[[PART]] 1(%[[ROW]],
// CHECK:         memref.store %{{.*}}, %Z2_counts[
// CHECK-NEXT:    cfir.close_part %[[PART]] as %Z(
// CHECK:       scf.for
// CHECK:         memref.store %{{.*}}, %Z2_starts[
// CHECK-NOT:   _shared
// CHECK:       %[[JOINED:.*]] = cfir.join %Z room(
// CHECK:       "scf.parallel"(
// CHECK:         scf.for %owner = 
// CHECK-NEXT:      cfir.part %Z(%owner)
// CHECK:           cfir.append_coord %[[JOINED]] 1(
// CHECK:         scf.for %owner_1 = 
// CHECK-NEXT:      cfir.part %Z(%owner_1)
// CHECK:           cfir.append_edges %[[JOINED]] 1(
// CHECK:       scf.for
// CHECK:         cfir.append_edges %[[JOINED]] 1(
// CHECK:       cfir.free_parts %Z
// CHECK-NEXT:  cfir.finish %[[JOINED]]
// CPP-LABEL:   int32_t rows(
// CPP:           int32_t *Z2_pos_parts[4] = {};
// CPP:           #pragma omp parallel for num_threads(4) schedule(static, 1)
// CPP:             Z2_pos[i - i_first + 1] = pZ2;
// CPP:             Z2_pos_parts[worker] = Z2_pos;
// CPP:           if (failed) { status = failed; goto fail; }
// CPP:           reallocate(Z2_crd_parts[0], Z2_room * sizeof(int32_t));
// CPP-NEXT:      if (!grown_2) goto fail;
// CPP-NEXT:      Z2_crd_parts[0] = grown_2;
// CPP-NEXT:      int32_t *Z2_crd = Z2_crd_parts[0];
// CPP:           #pragma omp parallel for num_threads(4) schedule(static, 1)
// CPP:             for (int64_t owner = 1; owner < 4; owner++) {
// CPP:           for (int64_t worker = 1; worker < 4; worker++) {
// CPP-NEXT:        free(Z2_pos_parts[worker]);
// CPP:           *Z2_crd_out = Z2_crd;
func.func @rows(%A: !csr) -> !csr {
  %Z = cfir.kernel Z(i,j) of (A(i,j) = %A) : !csr partitioned into 4 over i in U.i, j in A.j {
    cfir.lattice i over U.i with A.i = i
    case U.i {
      cfir.lattice j over A.j
      case A.j { cfir.append Z(i,j) = A(i,j) }
    }
  }
  func.return %Z : !csr
}

// A row that is cut is stored once: the first one of a part is the last one of the part before if
// both have the same coordinate.
// CHECK-LABEL: @cut_rows(
// CHECK:       cfir.open_part %Z room(%A1_count, %A2_count)
// CHECK:       memref.store %{{.*}}, %Z1_shared[
// CHECK:       %[[OWN:.*]] = cfir.pos_access %Z_part 0(
// CHECK-NEXT:  %[[OTHER:.*]] = cfir.pos_access %Z_part_1 0(
// CHECK-NEXT:  %[[EQUAL:.*]] = arith.cmpi eq, %[[OWN]], %[[OTHER]]
// CHECK:       cfir.join %Z room(
// CPP-LABEL:   int32_t cut_rows(
// CPP:           Z1_shared[worker] = 0;
// CPP:           if (Z1_counts[worker] > 0) {
// CPP:             if (previous >= 0) {
// CPP:           for (int64_t owner = 1; owner < 4; owner++) {
// CPP:             [[LOW:t_[0-9]+]] = Z1_shared[owner];
// CPP:             for (int64_t p = [[LOW]] > [[SHARE:t_[0-9]+]] ? [[LOW]] : [[SHARE]]; p < [[END:t_[0-9]+]]; p++) {
func.func @cut_rows(%A: !dcsr) -> !dcsr {
  %Z = cfir.kernel Z(i,j) of (A(i,j) = %A) : !dcsr partitioned into 4 over i in A.i, j in A.j {
    cfir.lattice i over A.i
    case A.i {
      cfir.lattice j over A.j
      case A.j { cfir.append Z(i,j) = A(i,j) }
    }
  }
  func.return %Z : !dcsr
}

// Near miss: rows that are whole are nobody else's.
// CHECK-LABEL: @whole_rows(
// CHECK:       cfir.open_part %Z room(%A1_count, %A2_count)
// CHECK-NOT:   _shared
// CHECK:       cfir.join %Z room(
// CPP-LABEL:   int32_t whole_rows(
// CPP-NOT:       previous
func.func @whole_rows(%A: !dcsr) -> !dcsr {
  %Z = cfir.kernel Z(i,j) of (A(i,j) = %A) : !dcsr partitioned into 4 over i in A.i {
    cfir.lattice i over A.i
    case A.i {
      cfir.lattice j over A.j
      case A.j { cfir.append Z(i,j) = A(i,j) }
    }
  }
  func.return %Z : !dcsr
}

// A list of entries is opened and freed by each worker.
// CHECK-LABEL: @listed(
// CHECK:       "scf.parallel"(
// CHECK:         %w = cfir.workspace "dense"(%
// CHECK:         cfir.close_part
// CPP-LABEL:   int32_t listed(
// CPP:           #pragma omp parallel for num_threads(4) schedule(static, 1)
// CPP:             w_slots = (int32_t *)allocate_zeroed(
// CPP-NEXT:        if (!w_slots) goto stop
// CPP:             Z2_pos_parts[worker] = Z2_pos;
// CPP:             free(w_slots);
// CPP:             continue;
func.func @listed(%A: !csr, %B: !csr) -> !csr {
  %Z = cfir.kernel Z(i,k) of (A(i,j) = %A, B(j,k) = %B) : !csr partitioned into 4 over i in U.i {
    cfir.lattice i over U.i with A.i = i
    case U.i {
      cfir.where {
        cfir.lattice k over w.k
        case w.k { cfir.append Z(i,k) = w(k) }
      } producing w(k) : dense sorted {
        cfir.lattice j over A.j with B.j = j
        case A.j {
          cfir.lattice k over B.k
          case B.k { cfir.assign w(k) += A(i,j) * B(j,k) }
        }
      }
    }
  }
  func.return %Z : !csr
}
