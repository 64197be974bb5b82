// Products of a matrix in CSR, of {rows} rows and {columns} columns, with a vector and with a dense matrix: MLIR's
// sparsifier makes the loops. Its formats are those of `sparse_tensor`.

#CSR = #sparse_tensor.encoding<{{
  map = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32
}}>

func.func @spmv(%pos: tensor<?xi32>, %crd: tensor<?xi32>, %vals: tensor<?xf64>, %x: tensor<?xf64>,
                %out: memref<?xf64>) attributes {{ llvm.emit_c_interface }} {{
  %zero = arith.constant 0.0 : f64
  %A = sparse_tensor.assemble (%pos, %crd), %vals
    : (tensor<?xi32>, tensor<?xi32>), tensor<?xf64> to tensor<{rows}x{columns}xf64, #CSR>
  %there = bufferization.to_tensor %out restrict writable : memref<?xf64> to tensor<?xf64>
  %cleared = linalg.fill ins(%zero : f64) outs(%there : tensor<?xf64>) -> tensor<?xf64>
  %y = linalg.matvec ins(%A, %x : tensor<{rows}x{columns}xf64, #CSR>, tensor<?xf64>)
                     outs(%cleared : tensor<?xf64>) -> tensor<?xf64>
  bufferization.materialize_in_destination %y in restrict writable %out
    : (tensor<?xf64>, memref<?xf64>) -> ()
  return
}}

func.func @spmm(%pos: tensor<?xi32>, %crd: tensor<?xi32>, %vals: tensor<?xf64>,
                %x: tensor<?x?xf64>, %out: memref<?x?xf64>) attributes {{ llvm.emit_c_interface }} {{
  %zero = arith.constant 0.0 : f64
  %A = sparse_tensor.assemble (%pos, %crd), %vals
    : (tensor<?xi32>, tensor<?xi32>), tensor<?xf64> to tensor<{rows}x{columns}xf64, #CSR>
  %there = bufferization.to_tensor %out restrict writable : memref<?x?xf64> to tensor<?x?xf64>
  %cleared = linalg.fill ins(%zero : f64) outs(%there : tensor<?x?xf64>) -> tensor<?x?xf64>
  %y = linalg.matmul ins(%A, %x : tensor<{rows}x{columns}xf64, #CSR>, tensor<?x?xf64>)
                     outs(%cleared : tensor<?x?xf64>) -> tensor<?x?xf64>
  bufferization.materialize_in_destination %y in restrict writable %out
    : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  return
}}

func.func @main() {{
  return
}}
